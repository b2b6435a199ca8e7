// Configurations: does the bound object exist, and does its document fit the declared schema? (evaluation.md 7)
import type { BundleFiles } from '../../contract/bundle-files.ts';
import type { DocumentFit } from '../../contract/document-fit.ts';
import type { ContractConfiguration } from '../../contract/model.ts';
import type { Lookup } from '../view.ts';
import { noted, type Observer, type ObserverContext } from './observer-context.ts';
import type { RawObservation } from './raw-observation.ts';

const KIND = 'ConfigurationPresent';

export const observeConfigurations: Observer = (context) =>
  context.input.contract.configurations.flatMap((declared) => observeOne(context, declared) ?? []);

function observeOne(context: ObserverContext, declared: ContractConfiguration): RawObservation | undefined {
  const { input, make } = context;
  const { name: subject, required } = declared;
  const { namespace, target } = input;
  const binding = target.configBindings?.find(({ configuration }) => configuration === subject);
  if (binding === undefined) return required ? make.without(KIND, subject, 'Unsupported') : undefined;
  const { kind, name, key, format } = binding;
  if (kind === 'Secret') {
    const asked = context.ask({ kind: 'secret', namespace, name });
    if (asked === undefined) return make.without(KIND, subject, 'Insufficient');
    return decided(context, subject, noted(context, 'Secret', name, asked.answer));
  }
  const schema = schemaText(declared, input.files);
  const asked = context.ask({
    kind: 'document',
    namespace,
    name,
    ...(key !== undefined && { key }),
    ...(format !== undefined && { format }),
    ...(schema !== undefined && { schema }),
  });
  if (asked === undefined) return make.without(KIND, subject, 'Insufficient');
  return decided(context, subject, noted(context, 'ConfigMap', name, asked.answer));
}

/** Existence ends a streak even where the content decides nothing; a Secret's content never does. */
function decided(
  { make }: ObserverContext,
  subject: string,
  found: Lookup<DocumentFit | true>,
): RawObservation {
  if (found.kind === 'unreadable') return make.without(KIND, subject, 'Failed');
  if (found.kind === 'absent') return make.negative(KIND, subject, { present: false, conformant: false });
  if (found.value === 'conforms' || found.value === 'violates') {
    return make.positive(KIND, subject, { present: true, conformant: found.value === 'conforms' });
  }
  return make.without(KIND, subject, 'Insufficient', { effect: 'clear' });
}

/** The schema in the bundle; an inline contract has no files, and may carry the schema itself in that place. */
function schemaText({ schema }: ContractConfiguration, files: BundleFiles | undefined): string | undefined {
  if (schema === undefined || schema === '') return undefined;
  if (files === undefined) return schema;
  const file = files.read(schema);
  return file.kind === 'file' ? new TextDecoder().decode(file.bytes) : undefined;
}
