// Schema of a Pacto's spec. No rule here is stricter than the upstream definition: what it accepts, this accepts.
import { Type } from 'typebox';
import { WORKLOAD_KINDS } from '../pacto.ts';
import { enumOf, int32, intOrString, mapOf } from './builders.ts';

const contractRef = Type.Object(
  {
    oci: Type.Optional(
      Type.String({
        description: 'OCI reference: with a digest, with a tag, or without either for the newest version.',
      }),
    ),
    inline: Type.Optional(Type.String({ description: 'Contract text; wins over oci when both are set.' })),
    pullSecretRef: Type.Optional(
      Type.String({ description: 'Secret of this namespace with registry credentials.' }),
    ),
  },
  { description: 'Where the contract is.' },
);

const interfaceBinding = Type.Object({
  interface: Type.String({ description: 'Name of an interface of the contract.' }),
  servicePort: intOrString({ description: 'Number or name of a port of the Service.' }),
});

const configBinding = Type.Object({
  configuration: Type.String({ description: 'Name of a configuration of the contract.' }),
  kind: enumOf(['ConfigMap', 'Secret']),
  name: Type.String({ description: 'Object in this namespace.' }),
  key: Type.Optional(Type.String({ description: 'Key to check; without it only existence is checked.' })),
  format: Type.Optional(enumOf(['yaml', 'json'], { description: 'How the text at key is read.' })),
});

const target = Type.Object(
  {
    serviceName: Type.Optional(Type.String({ description: 'Service to observe.' })),
    workloadRef: Type.Optional(
      Type.Object({
        name: Type.String(),
        kind: Type.Optional(
          enumOf(WORKLOAD_KINDS, {
            description:
              'Without it a Deployment is looked for, and another kind is never held against the contract.',
          }),
        ),
      }),
    ),
    interfaceBindings: Type.Optional(Type.Array(interfaceBinding)),
    configBindings: Type.Optional(Type.Array(configBinding)),
  },
  {
    description:
      'What runs the contract. Without a Service and a workload the contract is only kept for reference.',
  },
);

const overrides = Type.Object(
  {
    configurations: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ minLength: 1, description: 'Name of a configuration of the contract.' }),
          values: mapOf(Type.String(), {
            minProperties: 1,
            description: 'Values that win over those of the contract.',
          }),
        }),
      ),
    ),
  },
  { description: 'Values that replace those written in the contract.' },
);

export const PactoSpecSchema = Type.Object(
  {
    contractRef,
    target: Type.Optional(target),
    overrides: Type.Optional(overrides),
    checkIntervalSeconds: Type.Optional(
      int32({ default: 300, minimum: 30, description: 'Seconds between periodic checks.' }),
    ),
  },
  { description: 'Binds a service contract to what runs it.' },
);
