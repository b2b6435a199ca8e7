// Kubeconfig files: read, merged as kubectl merges them, and resolved to the configuration of one context.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { errorCode } from '../runtime/error-code.ts';
import {
  type Auth,
  type ClusterConfig,
  ClusterConfigError,
  type ExecSpec,
  type PemSource,
} from './cluster-config.ts';
import { isRecord, type JsonRecord, recordAt, stringAt, valueAt } from './json.ts';

/** A named entry and the file it came from: relative paths are relative to that file. */
type Entry = { readonly value: JsonRecord; readonly file: string };

export type Kubeconfig = {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly clusters: ReadonlyMap<string, Entry>;
  readonly users: ReadonlyMap<string, Entry>;
  readonly contexts: ReadonlyMap<string, Entry>;
};

/** Reads and merges files; of two entries with one name the first file's wins, as with kubectl. */
export async function readKubeconfig(files: readonly string[]): Promise<Kubeconfig> {
  const clusters = new Map<string, Entry>();
  const users = new Map<string, Entry>();
  const contexts = new Map<string, Entry>();
  let currentContext: string | undefined;
  for (const file of files) {
    const document = await parseFile(file);
    collect(document, 'clusters', 'cluster', file, clusters);
    collect(document, 'users', 'user', file, users);
    collect(document, 'contexts', 'context', file, contexts);
    currentContext ??= nonEmpty(stringAt(document, 'current-context'));
  }
  return { files, currentContext, clusters, users, contexts };
}

async function parseFile(file: string): Promise<JsonRecord> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new ClusterConfigError(
      errorCode(cause) === 'ENOENT'
        ? `kubeconfig ${file} does not exist; name another file with --kubeconfig or $KUBECONFIG`
        : `kubeconfig ${file} cannot be read; check its permissions`,
      { cause },
    );
  }
  const document = parseDocument(text, { strict: true, stringKeys: true, uniqueKeys: true });
  const error = document.errors[0];
  if (error !== undefined) {
    const line = error.linePos?.[0].line;
    throw new ClusterConfigError(
      `kubeconfig ${file} is not valid YAML${line === undefined ? '' : ` (line ${line}, ${error.code})`}; correct it`,
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new ClusterConfigError(`kubeconfig ${file} cannot be read safely; it repeats itself too often`, {
      cause,
    });
  }
  if (value === null) return {};
  if (!isRecord(value)) throw new ClusterConfigError(`kubeconfig ${file} is not a mapping; correct it`);
  return value;
}

function collect(
  document: JsonRecord,
  list: string,
  field: string,
  file: string,
  into: Map<string, Entry>,
): void {
  const items = valueAt(document, list);
  for (const item of Array.isArray(items) ? items : []) {
    if (!isRecord(item)) continue;
    const name = stringAt(item, 'name');
    if (name === undefined || into.has(name)) continue;
    into.set(name, { value: recordAt(item, field) ?? {}, file });
  }
}

/** The configuration of `context` (default: the current one). Throws {@link ClusterConfigError}. */
export function resolveContext(config: Kubeconfig, context: string | undefined): ClusterConfig {
  const where = config.files.join(':');
  const name = context ?? config.currentContext;
  if (name === undefined) {
    throw new ClusterConfigError(`${where} has no current context; choose one with --context`);
  }
  const found = config.contexts.get(name);
  if (found === undefined) {
    const known = [...config.contexts.keys()].join(', ') || 'none';
    throw new ClusterConfigError(`context "${name}" is not in ${where}; it has: ${known}`);
  }
  const source = `context "${name}" of ${found.file}`;
  const clusterName = stringAt(found.value, 'cluster') ?? '';
  const cluster = config.clusters.get(clusterName);
  if (cluster === undefined) {
    throw new ClusterConfigError(`${source} names cluster "${clusterName}", which ${where} does not define`);
  }
  const userName = nonEmpty(stringAt(found.value, 'user'));
  const user = userName === undefined ? { value: {}, file: found.file } : config.users.get(userName);
  if (user === undefined) {
    throw new ClusterConfigError(`${source} names user "${userName}", which ${where} does not define`);
  }
  const namespace = nonEmpty(stringAt(found.value, 'namespace'));
  return {
    source,
    ...(namespace === undefined ? {} : { namespace }),
    ...readCluster(cluster, source),
    ...readUser(user, source),
  };
}

function readCluster({ value, file }: Entry, source: string): Omit<ClusterConfig, 'source' | 'auth'> {
  const server = stringAt(value, 'server') ?? '';
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw new ClusterConfigError(
      `${source}: server "${server}" is not an http or https URL; correct it in ${file}`,
    );
  }
  const ca = pemSource(value, 'certificate-authority', file);
  const serverName = nonEmpty(stringAt(value, 'tls-server-name'));
  const proxyUrl = nonEmpty(stringAt(value, 'proxy-url'));
  return {
    server: server.replace(/\/+$/, ''),
    tlsVerify: valueAt(value, 'insecure-skip-tls-verify') === true ? 'skip' : 'verify',
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
  };
}

function readUser(
  { value, file }: Entry,
  source: string,
): Pick<ClusterConfig, 'auth' | 'clientCertificate' | 'impersonate'> {
  const certificate = pemSource(value, 'client-certificate', file);
  const key = pemSource(value, 'client-key', file);
  if ((certificate === undefined) !== (key === undefined)) {
    throw new ClusterConfigError(
      `${source}: client-certificate and client-key go together; ${file} has only one`,
    );
  }
  const user = nonEmpty(stringAt(value, 'as'));
  const uid = nonEmpty(stringAt(value, 'as-uid'));
  const groups = valueAt(value, 'as-groups');
  return {
    auth: readAuth(value, file, source),
    ...(certificate === undefined || key === undefined ? {} : { clientCertificate: { certificate, key } }),
    ...(user === undefined
      ? {}
      : {
          impersonate: {
            user,
            groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
            ...(uid === undefined ? {} : { uid }),
          },
        }),
  };
}

function readAuth(user: JsonRecord, file: string, source: string): Auth {
  // The order is kubectl's: a token file is fresher than a token, explicit credentials win over a program.
  const tokenFile = nonEmpty(stringAt(user, 'tokenFile'));
  if (tokenFile !== undefined) return { kind: 'tokenFile', path: relativeTo(file, tokenFile) };
  const token = nonEmpty(stringAt(user, 'token'));
  if (token !== undefined) return { kind: 'token', token };
  const username = nonEmpty(stringAt(user, 'username'));
  if (username !== undefined) return { kind: 'basic', username, password: stringAt(user, 'password') ?? '' };
  const exec = recordAt(user, 'exec');
  if (exec !== undefined) return { kind: 'exec', exec: readExec(exec, file, source) };
  const provider = recordAt(user, 'auth-provider');
  if (provider !== undefined) {
    throw new ClusterConfigError(
      `${source} uses auth-provider "${stringAt(provider, 'name') ?? ''}", which Kubernetes removed in 1.26 and is not ` +
        'supported; use the exec plugin of your provider, a tokenFile or a client certificate',
    );
  }
  return { kind: 'anonymous' };
}

function readExec(exec: JsonRecord, file: string, source: string): ExecSpec {
  const command = nonEmpty(stringAt(exec, 'command'));
  if (command === undefined)
    throw new ClusterConfigError(`${source}: exec has no command; correct it in ${file}`);
  const version = stringAt(exec, 'apiVersion');
  if (version !== 'client.authentication.k8s.io/v1' && version !== 'client.authentication.k8s.io/v1beta1') {
    throw new ClusterConfigError(
      `${source}: exec apiVersion "${version ?? ''}" is not supported; use client.authentication.k8s.io/v1`,
    );
  }
  if (stringAt(exec, 'interactiveMode') === 'Always') {
    throw new ClusterConfigError(
      `${source}: ${command} wants to talk to a person (interactiveMode Always), which is not supported; ` +
        'log in first and use a plugin that works without, a tokenFile or a client certificate',
    );
  }
  const args = valueAt(exec, 'args');
  const env = valueAt(exec, 'env');
  const hint = nonEmpty(stringAt(exec, 'installHint'));
  return {
    apiVersion: version,
    // As kubectl: a command with a slash is relative to the kubeconfig, one without is looked up in PATH.
    command: /[/\\]/.test(command) ? relativeTo(file, command) : command,
    args: Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : [],
    env: (Array.isArray(env) ? env : []).filter(isRecord).map((item) => ({
      name: stringAt(item, 'name') ?? '',
      value: stringAt(item, 'value') ?? '',
    })),
    provideClusterInfo: valueAt(exec, 'provideClusterInfo') === true,
    ...(hint === undefined ? {} : { installHint: hint }),
  };
}

/** `<field>-data` (base64) wins over `<field>` (a path), as with kubectl. */
function pemSource(value: JsonRecord, field: string, file: string): PemSource | undefined {
  const data = nonEmpty(stringAt(value, `${field}-data`));
  if (data !== undefined) return { kind: 'inline', pem: Buffer.from(data, 'base64').toString('utf8') };
  const named = nonEmpty(stringAt(value, field));
  return named === undefined ? undefined : { kind: 'file', path: relativeTo(file, named) };
}

function relativeTo(file: string, named: string): string {
  return path.resolve(path.dirname(file), named);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}
