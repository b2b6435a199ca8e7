// What every cross-field check is given.
import type { BundleFiles } from '../bundle-files.ts';
import type { Report } from '../issue.ts';
import type { Contract } from '../model.ts';
import type { SchemaStore } from '../schema-store.ts';

export type CheckContext = {
  readonly contract: Contract;
  /** Absent for an inline contract: checks that need files are then silent. */
  readonly files: BundleFiles | undefined;
  /** Compiled schemas of the bundle, each compiled at most once. */
  readonly schemas: SchemaStore;
  readonly report: Report;
};

/** One check over the whole contract; it reports and returns nothing. */
export type Check = (context: CheckContext) => void;
