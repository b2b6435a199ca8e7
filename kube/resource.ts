// Kinds of objects and the paths they are served at.

/** One kind as an API server serves it. */
export type ResourceType = {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Name in paths: lower case, plural. */
  readonly plural: string;
  readonly namespaced: boolean;
};

export type ResourcePath = {
  /** Absent for cluster-scoped kinds and for a namespaced kind across all namespaces. */
  readonly namespace?: string;
  /** Absent for the collection. */
  readonly name?: string;
  readonly subresource?: string;
};

/** `apiVersion` of objects of the kind. */
export function apiVersion(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** How the kind is named in logs, metrics and errors: `Deployment.apps`, `Service`. */
export function kindName(type: ResourceType): string {
  return type.group === '' ? type.kind : `${type.kind}.${type.group}`;
}

/**
 * The URL path of an object or a collection, every segment percent-encoded. Throws a TypeError for what cannot be
 * addressed: a namespace on a cluster-scoped kind, a namespaced object without one, an empty or dotted segment.
 */
export function resourcePath(type: ResourceType, path: ResourcePath = {}): string {
  const { namespace, name, subresource } = path;
  if (!type.namespaced && namespace !== undefined) {
    throw new TypeError(`${kindName(type)} is cluster-scoped and takes no namespace`);
  }
  if (type.namespaced && namespace === undefined && name !== undefined) {
    throw new TypeError(`${kindName(type)} ${name} needs a namespace`);
  }
  if (name === undefined && subresource !== undefined) {
    throw new TypeError(`a subresource of ${kindName(type)} needs a name`);
  }
  const segments = type.group === '' ? ['api', type.version] : ['apis', type.group, type.version];
  if (namespace !== undefined) segments.push('namespaces', namespace);
  segments.push(type.plural);
  if (name !== undefined) segments.push(name);
  if (subresource !== undefined) segments.push(subresource);
  return `/${segments.map(segment).join('/')}`;
}

function segment(text: string): string {
  // A dot segment would be resolved by URL parsers and so address something else.
  if (text === '' || text === '.' || text === '..') {
    throw new TypeError(`${JSON.stringify(text)} cannot be part of a path`);
  }
  return encodeURIComponent(text);
}
