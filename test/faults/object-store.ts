// Objects with versions, as an API server keeps them: a growing revision, a log of changes, and a point of compaction.

export type Raw = { [key: string]: unknown; metadata: { [key: string]: unknown; name: string } };

export type Change = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly object: Raw;
};

/** What a request is about: `plural.group` and a namespace, empty for cluster-scoped or all. */
export type Scope = { readonly resource: string; readonly namespace: string };

export type StoreFailure = { readonly status: number; readonly reason: string; readonly message: string };

/** Starts high and grows by one per write, as etcd's revision does. */
export class ObjectStore {
  #revision = 1_000;
  readonly #objects = new Map<string, Map<string, Raw>>();
  readonly #log = new Map<string, Change[]>();
  readonly #compacted = new Map<string, number>();
  readonly #listeners = new Set<(resource: string, change: Change) => void>();

  get revision(): number {
    return this.#revision;
  }

  onChange(listener: (resource: string, change: Change) => void): void {
    this.#listeners.add(listener);
  }

  /** Moves the revision on without touching the resource, as writes to other kinds do. */
  tick(): number {
    this.#revision += 1;
    return this.#revision;
  }

  list({ resource, namespace }: Scope): readonly Raw[] {
    const objects = [...(this.#objects.get(resource)?.values() ?? [])];
    return objects
      .filter((object) => namespace === '' || object.metadata['namespace'] === namespace)
      .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  get(scope: Scope, name: string): Raw | undefined {
    return this.#objects.get(scope.resource)?.get(key(scope.namespace, name));
  }

  /** Creates or replaces. Fails as an API server does on a name in use or a version that is not the present one. */
  write(scope: Scope, mode: 'create' | 'replace', object: Raw): Raw | StoreFailure {
    const { name } = object.metadata;
    const present = this.get(scope, name);
    if (mode === 'create' && present !== undefined) {
      return { status: 409, reason: 'AlreadyExists', message: `${scope.resource} "${name}" already exists` };
    }
    if (mode === 'replace' && present === undefined) {
      return { status: 404, reason: 'NotFound', message: `${scope.resource} "${name}" not found` };
    }
    const asked = object.metadata['resourceVersion'];
    if (present !== undefined && asked !== undefined && asked !== present.metadata['resourceVersion']) {
      return { status: 409, reason: 'Conflict', message: `${scope.resource} "${name}" has been modified` };
    }
    const revision = this.tick();
    const stored: Raw = {
      ...object,
      metadata: {
        ...object.metadata,
        ...(scope.namespace === '' ? {} : { namespace: scope.namespace }),
        uid: present?.metadata['uid'] ?? `uid-${revision}`,
        resourceVersion: String(revision),
      },
    };
    this.#put(scope, stored);
    this.#record(scope.resource, {
      type: present === undefined ? 'ADDED' : 'MODIFIED',
      revision,
      object: stored,
    });
    return stored;
  }

  delete(scope: Scope, name: string): Raw | StoreFailure {
    const present = this.get(scope, name);
    if (present === undefined) {
      return { status: 404, reason: 'NotFound', message: `${scope.resource} "${name}" not found` };
    }
    const revision = this.tick();
    const object: Raw = { ...present, metadata: { ...present.metadata, resourceVersion: String(revision) } };
    this.#objects.get(scope.resource)?.delete(key(scope.namespace, name));
    this.#record(scope.resource, { type: 'DELETED', revision, object });
    return object;
  }

  /** Changes of a resource after `revision`; undefined when some of them are compacted away. */
  changesAfter(resource: string, revision: number): readonly Change[] | undefined {
    if (revision < (this.#compacted.get(resource) ?? 0)) return undefined;
    return (this.#log.get(resource) ?? []).filter((change) => change.revision > revision);
  }

  /** Forgets the log of a resource: watches from before now are answered 410. */
  compact(resource: string): void {
    this.#log.set(resource, []);
    this.#compacted.set(resource, this.#revision);
  }

  /** Takes away without a trace, as far as watches go: the change is in no log and no watch is told. */
  vanish(scope: Scope, name: string): void {
    this.#objects.get(scope.resource)?.delete(key(scope.namespace, name));
    this.compact(scope.resource);
    this.tick();
  }

  #put(scope: Scope, object: Raw): void {
    const objects = this.#objects.get(scope.resource) ?? new Map<string, Raw>();
    objects.set(key(scope.namespace, object.metadata.name), object);
    this.#objects.set(scope.resource, objects);
  }

  #record(resource: string, change: Change): void {
    const log = this.#log.get(resource) ?? [];
    log.push(change);
    this.#log.set(resource, log);
    for (const listener of this.#listeners) listener(resource, change);
  }
}

export function isFailure(result: Raw | StoreFailure): result is StoreFailure {
  return !('metadata' in result);
}

function key(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function keyOf(object: Raw): string {
  const { namespace, name } = object.metadata;
  return key(typeof namespace === 'string' ? namespace : '', name);
}
