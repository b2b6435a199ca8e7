// Turns the description of a custom resource into its CustomResourceDefinition manifest.
import type { CustomResource } from './custom-resources.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const API_VERSION_DOC = 'Version of the API this object is written in.';
const KIND_DOC = 'Kind of this object.';

/** The apiextensions.k8s.io/v1 manifest as plain data; keys of schemas are sorted, so equal schemas give equal text. */
export function customResourceDefinition(resource: CustomResource): Json {
  const { group, version, kind, plural, shortNames, scope, columns } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        ...(shortNames !== undefined && { shortNames }),
        singular: kind.toLowerCase(),
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns.map((column) => ({ ...column })),
          schema: { openAPIV3Schema: objectSchema(resource) },
          ...(resource.statusSubresource && { subresources: { status: {} } }),
        },
      ],
    },
  };
}

function objectSchema({ description, spec, status }: CustomResource): Json {
  return {
    description,
    properties: {
      apiVersion: { description: API_VERSION_DOC, type: 'string' },
      kind: { description: KIND_DOC, type: 'string' },
      metadata: { type: 'object' },
      spec: sortedJson(spec),
      ...(status !== undefined && { status: sortedJson(status) }),
    },
    required: ['spec'],
    type: 'object',
  };
}

/** Plain data with sorted keys. `required` lists are sorted too; other lists keep their order, which may mean something. */
function sortedJson(value: unknown, key = ''): Json {
  if (Array.isArray(value)) {
    const items = value.map((item) => sortedJson(item));
    return key === 'required' ? items.map(String).toSorted((a, b) => (a < b ? -1 : 1)) : items;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, item]) => [name, sortedJson(item, name)]));
  }
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new TypeError(
    `a schema holds ${typeof value} at ${JSON.stringify(key)}; only JSON can stand in a manifest`,
  );
}
