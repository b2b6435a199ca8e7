// Flags that say how registries are reached.

export const REGISTRY_FLAGS = {
  oras: {
    kind: 'string',
    default: 'oras',
    help: 'The oras program, which reaches registries',
    placeholder: 'PATH',
  },
  'insecure-registry': {
    kind: 'strings',
    help: 'Registry spoken to in plain HTTP; also $PACTO_INSECURE_REGISTRIES, separated by commas',
    placeholder: 'HOST:PORT',
  },
} as const;

export type RegistryFlags = { readonly oras: string; readonly 'insecure-registry': readonly string[] };
