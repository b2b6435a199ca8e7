// How tests see Kubernetes objects: metadata by name, the rest by path, nothing assumed.

/** Any JSON object of Kubernetes; also a Status, whose own fields are read by `at`. */
export type KubeObject = {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: KubeMeta;
  readonly [field: string]: unknown;
};

export type KubeMeta = {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
};

/** A list answer. */
export type KubeList = KubeObject & { readonly items: readonly KubeObject[] };

/**
 * The value at a path, or undefined where the path ends early: `at(pod, 'status', 'containerStatuses', 0, 'imageID')`.
 * Numbers index arrays.
 */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = Reflect.get(here, step);
  }
  return here;
}

/** The text at a path; empty where there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The array at a path; empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Status of the condition of that type: `True`, `False`, `Unknown`, or undefined when there is none. */
export function conditionStatus(object: unknown, type: string): unknown {
  return at(
    listAt(object, 'status', 'conditions').find((condition) => at(condition, 'type') === type),
    'status',
  );
}
