// The room table: which folder may import which other folders and which npm packages. The lint configuration is
// generated from it, so the table in the architecture document and the one that is enforced cannot drift apart.

/** One folder of the source tree and what its files may import besides siblings and `node:` built-ins. */
export type Room = {
  /** Folder, relative to the project root, without a trailing slash. */
  readonly folder: string;
  /** Other rooms it may import, by folder. `*` allows every room. */
  readonly rooms: readonly string[] | '*';
  /** npm packages it may import. `*` allows every declared dependency. */
  readonly packages: readonly string[] | '*';
};

const BELOW_CLI = [
  'api',
  'api/schema',
  'runtime',
  'kube',
  'contract',
  'evaluation',
  'operator',
  'agent',
  'gate',
  'gate/cache',
  'serve',
  'webhook',
  'policies',
] as const;

/** Every room. A nested room (`api/schema`, `gate/cache`) is a room of its own, not part of its parent. */
export const ROOMS: readonly Room[] = [
  { folder: 'api', rooms: [], packages: [] },
  { folder: 'api/schema', rooms: ['api'], packages: ['typebox', 'ajv'] },
  { folder: 'runtime', rooms: [], packages: ['pino', 'prom-client'] },
  { folder: 'kube', rooms: ['runtime'], packages: ['undici', 'yaml'] },
  { folder: 'contract', rooms: ['api'], packages: ['yaml', 'ajv', 're2js', 'tar-stream'] },
  { folder: 'evaluation', rooms: ['api', 'contract'], packages: [] },
  { folder: 'operator', rooms: ['api', 'runtime', 'kube', 'contract', 'evaluation'], packages: [] },
  { folder: 'bpf', rooms: [], packages: [] },
  { folder: 'agent', rooms: ['api', 'runtime', 'kube', 'bpf'], packages: [] },
  { folder: 'gate', rooms: ['api'], packages: [] },
  { folder: 'gate/cache', rooms: ['api', 'kube', 'gate'], packages: [] },
  {
    folder: 'serve',
    rooms: ['api', 'runtime', 'kube', 'gate', 'gate/cache'],
    packages: ['fastify', 'typebox'],
  },
  {
    folder: 'webhook',
    rooms: ['api', 'runtime', 'kube', 'gate', 'gate/cache'],
    packages: ['fastify'],
  },
  { folder: 'policies', rooms: ['api', 'gate'], packages: ['yaml'] },
  { folder: 'cli', rooms: BELOW_CLI, packages: ['picocolors', 'cli-table3', 'yaml'] },
  { folder: 'tools', rooms: '*', packages: '*' },
  { folder: 'test', rooms: '*', packages: '*' },
];
