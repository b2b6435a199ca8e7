// The operator's cache over a scripted API server: real informers on real sockets, whose state the test sets object by object.
import type { TestContext } from 'node:test';
import { AGENT_NAMESPACE } from '../../api/names.ts';
import { WORKLOAD_KINDS } from '../../api/pacto.ts';
import * as read from '../../api/read.ts';
import type { ResourceType } from '../../kube/resource.ts';
import type { ClusterInformersOptions } from '../../operator/cache/cluster-informers.ts';
import { OperatorCache } from '../../operator/cache/operator-cache.ts';
import {
  CONFIG_MAPS,
  ENDPOINT_SLICES,
  HTTP_ROUTES,
  INGRESSES,
  LEASES,
  MONITORS,
  NODE_OBSERVATIONS,
  PACTOS,
  PODS,
  SERVICES,
  WORKLOADS,
} from '../../operator/resources.ts';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { isFailure, type Raw } from '../faults/object-store.ts';
import { type Fault, type Intercept, ScriptedApiServer } from '../faults/scripted-api-server.ts';
import { rig, type Rig } from '../kube/rig.ts';

export type RawObject = Readonly<Record<string, unknown>>;

export const TYPES: ReadonlyMap<string, ResourceType> = new Map(
  [
    PACTOS,
    SERVICES,
    ENDPOINT_SLICES,
    ...WORKLOAD_KINDS.map((kind) => WORKLOADS[kind]),
    INGRESSES,
    HTTP_ROUTES[0],
    CONFIG_MAPS,
    ...Object.values(MONITORS),
    PODS,
    NODE_OBSERVATIONS,
    LEASES,
  ].map((type) => [type.kind, type]),
);

/** How the API server answers about a kind that it does not show. */
export type Gap = 'forbidden' | 'notServed';

const REFUSALS: Readonly<Record<Gap, Fault>> = {
  forbidden: { kind: 'status', status: 403, reason: 'Forbidden' },
  notServed: {
    kind: 'status',
    status: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  },
};

export type CacheRigOptions = {
  readonly objects?: readonly RawObject[];
  /** By kind. Default: everything is shown. */
  readonly gaps?: ReadonlyMap<string, Gap>;
  /** What the server says it serves. Default: all kinds but those that are not. */
  readonly discovered?: readonly ResourceType[];
  readonly clock?: Clock;
  /** Sees the server before anything is asked. */
  readonly before?: (server: ScriptedApiServer) => unknown;
  /** `later`: the test wants the rig before the cache has read everything. Default: `first`. */
  readonly settles?: 'first' | 'later';
  /** Default: monitors and node agents too. */
  readonly watched?: Pick<ClusterInformersOptions, 'monitors' | 'agentNamespace'>;
};

export type CacheRig = {
  readonly server: ScriptedApiServer;
  readonly cache: OperatorCache;
  readonly rig: Rig;
  /** Creates objects, or puts them in place of those of their names; returns them as stored. */
  readonly put: (...objects: readonly RawObject[]) => readonly Raw[];
  readonly remove: (object: RawObject) => void;
  /** Says from now on that these kinds are served. */
  readonly discover: (types: readonly ResourceType[]) => void;
  /** All the server holds. */
  readonly stored: () => readonly Raw[];
  readonly stop: () => Promise<void>;
};

/** A cache that has read everything; stops with the test, or when told. */
export async function cacheRig(t: TestContext, options: CacheRigOptions = {}): Promise<CacheRig> {
  const server = await ScriptedApiServer.start();
  const made = rig(server, read.defined({ clock: options.clock }));
  const put: CacheRig['put'] = (...objects) => objects.map((object) => store(server, object));
  put(...(options.objects ?? []));
  const gaps = options.gaps ?? new Map<string, Gap>();
  const refusals = new Map([...gaps].map(([kind, gap]) => [resourceOf(kind), REFUSALS[gap]]));
  server.intercept(({ path }) => refusals.get(resourceAt(path)));
  const served = [...TYPES.values()].filter(({ kind }) => gaps.get(kind) !== 'notServed');
  let say = discovery(options.discovered ?? served);
  options.before?.(server);
  server.intercept((request) => say(request));
  const { client, log, metrics } = made;
  const { clock = systemClock, watched = { monitors: true, agentNamespace: AGENT_NAMESPACE } } = options;
  const cache = new OperatorCache({ client, clock, log, metrics, seal: frozen, ...watched });
  const ended = new AbortController();
  const running = cache.informers.run(ended.signal);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      ended.abort();
      await running;
      await made.transport.close();
      await server.close();
    })());
  t.after(stop);
  if (options.settles !== 'later') await cache.informers.whenSettled(t.signal);
  return {
    server,
    cache,
    rig: made,
    put,
    discover: (types) => {
      say = discovery(types);
    },
    remove: (object) => server.store.delete(scopeOf(object), nameOf(object)),
    stored: () =>
      [...TYPES.keys()].flatMap((kind) => server.store.list({ resource: resourceOf(kind), namespace: '' })),
    stop,
  };
}

/** `plural.group`, as the scripted server calls a kind. */
export function resourceOf(kind: string): string {
  const type = TYPES.get(kind);
  if (type === undefined) throw new TypeError(`${kind} is no kind that the operator reads`);
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`;
}

/** Answers as an API server does when asked what it serves. */
function discovery(types: readonly ResourceType[]): Intercept {
  const answer = (body: object): Fault => ({ kind: 'bytes', bytes: JSON.stringify(body), end: 'whole' });
  const groups = Map.groupBy(types, ({ group }) => group);
  return ({ path }) => {
    const [root, group, version, ...more] = path.split('/').slice(1);
    if (root !== 'apis' || more.length > 0) return undefined;
    if (group === undefined) {
      const listed = [...groups].map(([name, members]) => ({
        name,
        versions: [...new Set(members.map((type) => type.version))].map((word) => ({ version: word })),
      }));
      return answer({ kind: 'APIGroupList', groups: listed });
    }
    const resources = (groups.get(group) ?? []).filter((type) => type.version === version);
    return answer({ kind: 'APIResourceList', resources: resources.map(({ plural }) => ({ name: plural })) });
  };
}

/** Resource that a path is about, whatever the version. */
function resourceAt(path: string): string {
  const [root, ...parts] = path.split('/').slice(1);
  const group = root === 'apis' ? `.${parts.shift()}` : '';
  parts.shift();
  if (parts[0] === 'namespaces') parts.splice(0, 2);
  return `${parts[0]}${group}`;
}

function store(server: ScriptedApiServer, object: RawObject): Raw {
  const scope = scopeOf(object);
  const mode = server.store.get(scope, nameOf(object)) === undefined ? 'create' : 'replace';
  const written = server.store.write(scope, mode, object as Raw);
  if (isFailure(written)) throw new Error(written.message);
  return written;
}

function scopeOf(object: RawObject): { readonly resource: string; readonly namespace: string } {
  return {
    resource: resourceOf(String(object['kind'])),
    namespace: read.string(read.object(object, 'metadata'), 'namespace') ?? '',
  };
}

function nameOf(object: RawObject): string {
  return read.string(read.object(object, 'metadata'), 'name') ?? '';
}

/** A rig whose waits before a refused or missing kind is asked for again (30 to 60 s) end when the test says. */
export async function hastyRig(
  t: TestContext,
  options: CacheRigOptions = {},
): Promise<{ readonly r: CacheRig; readonly again: () => void }> {
  const waits: (() => void)[] = [];
  const timers = {
    after: (ms: number, callback: () => void): (() => void) => {
      if (ms <= 30_000 || ms > 60_000) return systemClock.timers.after(ms, callback);
      waits.push(callback);
      return () => undefined;
    },
  };
  const r = await cacheRig(t, { ...options, clock: { ...(options.clock ?? systemClock), timers } });
  const again = (): void => {
    for (const end of waits.splice(0)) end();
  };
  return { r, again };
}

/** What is held is shared between objects, so that nobody may change it. */
function frozen(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
}
