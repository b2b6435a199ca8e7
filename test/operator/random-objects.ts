// Random objects of every kind the operator reads, few enough names that they meet, some of their fields of a wrong type.
import * as fc from 'fast-check';
import { AGENT_LABELS, AGENT_NAMESPACE } from '../../api/names.ts';
import { WORKLOAD_KINDS } from '../../api/pacto.ts';
import type { RawObject } from './cache-rig.ts';

export const NAMESPACES = ['default', 'shop', AGENT_NAMESPACE] as const;
export const NAMES = ['a', 'b', 'constructor', 'n'.repeat(253)] as const;
/** As the scripted server gives them out. */
export const UIDS = Array.from({ length: 24 }, (_, i) => `uid-${1_001 + i}`);
export const ADDRESSES = ['10.0.0.1', '10.0.0.2', 'fd00::1', '203.0.113.9'] as const;
export const REPOSITORIES = ['r.example.com/a', 'r.example.com/team/b'] as const;
export const LABEL_KEYS = ['app', '__proto__', 'constructor', 'a=b'] as const;

type Any = fc.Arbitrary<unknown>;

export const JUNK: Any = fc.constantFrom(null, 7, -1, 1.5, '', 'x', true, [], {}, [null], [[]], [{}], {
  a: 1,
});

/** Now and then something that does not belong there. */
const mixed = (arbitrary: Any): Any => fc.oneof({ weight: 14, arbitrary }, { weight: 1, arbitrary: JUNK });
/** An object with any of these fields, each now and then junk. */
const parts = (fields: Readonly<Record<string, Any>>): Any =>
  mixed(
    fc.record(Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, mixed(value)])), {
      requiredKeys: [],
    }),
  );
const some = (item: Any): Any => mixed(fc.array(mixed(item), { maxLength: 3 }));
const namespace = fc.constantFrom(...NAMESPACES);
const name = fc.constantFrom(...NAMES);
const address = fc.constantFrom(...ADDRESSES, 'FD00:0:0:0::1', '::ffff:10.0.0.1', 'None');
const port = fc.constantFrom(80, 8080, 70_000);
const portReference = fc.constantFrom<unknown>(80, 8080, 'http', '80');
const time = fc.constantFrom('2026-11-30T10:00:00Z', '2026-11-30T10:00:00.123456Z', 'yesterday');
const flag = fc.boolean();
const labels: Any = fc
  .array(fc.tuple(fc.constantFrom(...LABEL_KEYS, 'kubernetes.io/service-name'), mixed(name)), {
    maxLength: 4,
  })
  // Own properties whatever they are called, as a parser of JSON makes them.
  .map((entries): unknown => Object.fromEntries(entries));

type Shape = { readonly metadata?: Readonly<Record<string, Any>> } & Readonly<Record<string, unknown>>;

function kind(word: string, { metadata = {}, ...fields }: Shape): fc.Arbitrary<RawObject> {
  return fc.record({
    kind: fc.constant(word),
    metadata: fc.record({ namespace, name, labels: mixed(labels), ...metadata }),
    ...(fields as Record<string, Any>),
  });
}

const loadBalancer = parts({
  loadBalancer: parts({ ingress: some(parts({ ip: address, hostname: name })) }),
});
const owners = some(
  parts({
    uid: fc.constantFrom(...UIDS),
    kind: fc.constantFrom('CronJob', 'ReplicaSet'),
    name,
    controller: flag,
  }),
);

const service = kind('Service', {
  spec: parts({
    type: fc.constantFrom('ClusterIP', 'LoadBalancer', 'ExternalName'),
    selector: labels,
    ports: some(parts({ name, port, targetPort: portReference, protocol: fc.constantFrom('TCP', 'UDP') })),
    clusterIP: address,
    clusterIPs: some(address),
    externalIPs: some(address),
  }),
  status: loadBalancer,
});

const endpointSlice = kind('EndpointSlice', {
  metadata: {
    labels: mixed(fc.record({ 'kubernetes.io/service-name': mixed(name), app: name }, { requiredKeys: [] })),
  },
  ports: some(parts({ name, port, protocol: fc.constantFrom('TCP', 'UDP') })),
  endpoints: some(
    parts({
      addresses: some(address),
      conditions: parts({ ready: flag }),
      targetRef: parts({ kind: fc.constantFrom('Pod', 'Node'), name }),
    }),
  ),
});

const selector = parts({
  matchLabels: labels,
  matchExpressions: some(
    parts({
      key: fc.constantFrom(...LABEL_KEYS),
      operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt'),
      values: some(name),
    }),
  ),
});
const probe = parts({
  httpGet: parts({ path: fc.constantFrom('/healthz', '') }),
  initialDelaySeconds: fc.nat(9),
});
const podSpec = parts({
  containers: some(
    parts({
      image: name,
      ports: some(parts({ name, containerPort: port })),
      readinessProbe: probe,
      livenessProbe: probe,
      volumeMounts: some(parts({ name, readOnly: flag })),
      volumeDevices: some(parts({ name })),
    }),
  ),
  initContainers: some(parts({ image: name })),
  volumes: some(
    parts({
      name,
      persistentVolumeClaim: parts({ claimName: name, readOnly: flag }),
      emptyDir: parts({}),
      csi: parts({}),
    }),
  ),
  terminationGracePeriodSeconds: fc.nat(99),
});
const template = parts({ spec: podSpec });
const workloads = WORKLOAD_KINDS.map((word) =>
  kind(word, {
    metadata: { ownerReferences: owners, generation: mixed(fc.nat(9)) },
    spec: parts({
      replicas: fc.nat(3),
      parallelism: fc.nat(3),
      selector,
      strategy: parts({ type: fc.constantFrom('Recreate', 'RollingUpdate') }),
      podManagementPolicy: fc.constantFrom('Parallel', 'OrderedReady'),
      template,
      jobTemplate: parts({ spec: parts({ template, parallelism: fc.nat(3) }) }),
      volumeClaimTemplates: some(parts({})),
    }),
    status: parts({
      observedGeneration: fc.nat(9),
      replicas: fc.nat(3),
      updatedReplicas: fc.nat(3),
      availableReplicas: fc.nat(3),
    }),
  }),
);

const pacto = kind('Pacto', {
  spec: parts({ target: parts({ serviceName: name, workloadRef: parts({ name }) }) }),
  status: parts({
    contract: parts({
      serviceName: name,
      version: fc.constantFrom('1.0.0', '2'),
      resolvedRef: fc
        .tuple(fc.constantFrom('', 'oci://'), fc.constantFrom(...REPOSITORIES), fc.constantFrom('', ':1.0.0'))
        .map((words) => words.join('')),
    }),
  }),
});

const backend = parts({ service: parts({ name, port: parts({ number: port, name }) }) });
const ingress = kind('Ingress', {
  spec: parts({
    defaultBackend: backend,
    rules: some(parts({ http: parts({ paths: some(parts({ backend })) }) })),
  }),
  status: loadBalancer,
});
const route = kind('HTTPRoute', {
  spec: parts({
    rules: some(
      parts({
        backendRefs: some(
          parts({
            name,
            namespace,
            kind: fc.constantFrom('Service', 'Other'),
            group: fc.constantFrom('', 'x'),
          }),
        ),
      }),
    ),
  }),
});
const endpoints = some(
  parts({
    path: fc.constantFrom('/metrics'),
    port: portReference,
    portNumber: port,
    targetPort: portReference,
  }),
);
const monitors = (['ServiceMonitor', 'PodMonitor'] as const).map((word) =>
  kind(word, { spec: parts({ selector, endpoints, podMetricsEndpoints: endpoints }) }),
);

const pod = kind('Pod', {
  metadata: {
    ownerReferences: owners,
    annotations: mixed(fc.record({ 'kubernetes.io/config.hash': name }, { requiredKeys: [] })),
    deletionTimestamp: fc.constantFrom(undefined, '2026-11-30T10:00:00Z'),
  },
  spec: parts({ nodeName: name, hostNetwork: flag, runtimeClassName: name }),
  status: parts({ phase: fc.constantFrom('Running', 'Pending'), startTime: time }),
});

const socket = { address, port };
/** Mostly what a node's own agent writes, else another's. */
const ofAgent = {
  namespace: fc.oneof(
    { weight: 4, arbitrary: fc.constant(AGENT_NAMESPACE) },
    { weight: 1, arbitrary: namespace },
  ),
  labels: fc.oneof(
    { weight: 4, arbitrary: fc.constant<unknown>(AGENT_LABELS) },
    { weight: 1, arbitrary: labels },
  ),
};
const observation = kind('NodeRuntimeObservation', {
  metadata: ofAgent,
  spec: parts({ nodeName: name }),
  status: parts({
    lastPublished: time,
    lastDrop: time,
    collection: parts({ state: fc.constantFrom('Running', 'Degraded', 'Asleep') }),
    pods: some(
      parts({
        uid: fc.constantFrom(...UIDS),
        hostNetwork: flag,
        sharedNetwork: flag,
        truncated: flag,
        baselineTime: time,
        listeners: some(parts(socket)),
        peers: some(parts({ ...socket, lastSuccess: time, lastFailure: time })),
      }),
    ),
  }),
});
const lease = kind('Lease', {
  metadata: ofAgent,
  spec: parts({ holderIdentity: name, renewTime: time, leaseDurationSeconds: fc.nat(90) }),
});

export const anyObject: fc.Arbitrary<RawObject> = fc.oneof(
  service,
  endpointSlice,
  ...workloads,
  pacto,
  ingress,
  route,
  ...monitors,
  pod,
  observation,
  lease,
);
