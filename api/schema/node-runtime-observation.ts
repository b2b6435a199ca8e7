// Schemas of NodeRuntimeObservation: the sockets one node's agent saw, bounded so that one node cannot fill a cluster.
import { Type } from 'typebox';
import {
  COLLECTION_REASONS,
  COLLECTION_STATES,
  OBSERVATION_BOUNDS,
  WRITE_RULES,
} from '../node-runtime-observation.ts';
import { atomicList, enumOf, int64, time } from './builders.ts';

const MAX_COUNT = 4_294_967_295;

const address = Type.String({ maxLength: 45, description: 'Canonical text of an IP address.' });
const port = Type.Integer({ format: 'int32', minimum: 1, maximum: 65535 });
const count = int64({ minimum: 0, maximum: MAX_COUNT });

const listener = Type.Object({ address, port });

const peer = Type.Object({
  address,
  port,
  succeeded: count,
  failed: count,
  lastSuccess: Type.Optional(time()),
  lastFailure: Type.Optional(time()),
});

const pod = Type.Object({
  uid: Type.String({ minLength: 32, maxLength: 36, pattern: '^[0-9a-f-]+$' }),
  hostNetwork: Type.Optional(Type.Boolean()),
  sharedNetwork: Type.Optional(
    Type.Boolean({ description: 'Shares its network namespace with another pod.' }),
  ),
  truncated: Type.Optional(Type.Boolean({ description: 'A bound cut its listeners or peers.' })),
  baselineTime: Type.Optional(time({ description: 'When its sockets were first read.' })),
  listeners: Type.Optional(atomicList(listener, { maxItems: OBSERVATION_BOUNDS.listenersPerPod })),
  peers: Type.Optional(atomicList(peer, { maxItems: OBSERVATION_BOUNDS.peersPerPod })),
});

const collection = Type.Object({
  state: enumOf(COLLECTION_STATES),
  reason: Type.Optional(enumOf(COLLECTION_REASONS)),
  message: Type.Optional(Type.String({ maxLength: 256 })),
  since: Type.Optional(time()),
});

export const NodeRuntimeObservationSpecSchema = Type.Object({
  nodeName: Type.String({ minLength: 1, maxLength: 253, description: 'Equal to the name of the object.' }),
});

export const NodeRuntimeObservationStatusSchema = Type.Object({
  lastPublished: time({ description: 'When the object was written.' }),
  observingSince: Type.Optional(time({ description: 'Since when events are counted without a break.' })),
  lastResync: Type.Optional(time()),
  lastDrop: Type.Optional(time({ description: 'When events were last lost.' })),
  droppedEvents: Type.Optional(int64({ minimum: 0 })),
  unattributedEvents: Type.Optional(int64({ minimum: 0 })),
  collection,
  writeRule: Type.Optional(
    enumOf(WRITE_RULES, { description: 'Whether the cluster refuses writes in the name of another node.' }),
  ),
  pods: Type.Optional(atomicList(pod, { maxItems: OBSERVATION_BOUNDS.pods })),
});
