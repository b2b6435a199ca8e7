// What readers are shown of the schemas in a bundle: title, description and properties, where the file can be understood.
import type { BundleFiles } from '../contract/bundle-files.ts';
import { parseJsonText } from '../contract/json-text.ts';
import { describeSchema, type SchemaDescriptions } from '../evaluation/schema-description.ts';

/** Larger schemas are not described: the pass must not be held up for an ornament. */
const MAX_BYTES = 256 * 1024;

/** Descriptions by bundle path. A missing or broken file has none, silently (controller.md 7.2). */
export function bundleDescriptions(files: BundleFiles): SchemaDescriptions {
  return {
    get(path) {
      const file = files.read(path);
      if (file.kind !== 'file' || file.bytes.length > MAX_BYTES) return undefined;
      const parsed = parseJsonText(new TextDecoder().decode(file.bytes));
      return parsed.kind === 'invalid' ? undefined : describeSchema(parsed.value);
    },
  };
}
