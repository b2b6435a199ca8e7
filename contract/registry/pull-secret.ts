// Credentials from a Kubernetes Secret that a resource names for its registry (controller 6.5).
import { byText } from '../../api/by-text.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { parseJsonText } from '../json-text.ts';
import type { RegistryCredentials } from './credentials.ts';
import { normalizeHost, registryHostOf } from './registry-reference.ts';

/** The parts of a Secret that count. */
export type PullSecret = {
  readonly name: string;
  readonly type?: string;
  /** Values in base64, as the API server gives them. */
  readonly data: Readonly<Record<string, string>>;
};

export type SecretCredentials =
  | { readonly kind: 'credentials'; readonly credentials: RegistryCredentials }
  /** Names the Secret and what is wrong with it; never a value. */
  | { readonly kind: 'unusable'; readonly message: string };

const DOCKER_CONFIG_TYPE = 'kubernetes.io/dockerconfigjson';
const DOCKER_CONFIG_KEY = '.dockerconfigjson';

/** Credentials for the registry of `reference`; a Secret bound to another registry is refused. */
export function credentialsFromSecret(secret: PullSecret, reference: string): SecretCredentials {
  const host = registryHostOf(reference);
  return secret.type === DOCKER_CONFIG_TYPE ? fromDockerConfig(secret, host) : fromKeys(secret, host);
}

function fromKeys(secret: PullSecret, host: string): SecretCredentials {
  const bound = (valueOf(secret, 'registry') ?? '').trim();
  if (bound !== '' && normalizeHost(bound) !== normalizeHost(host)) {
    return unusable(secret, `is scoped to registry "${bound}" but credentials were requested for "${host}"`);
  }
  const token = valueOf(secret, 'token') ?? '';
  if (token !== '') return { kind: 'credentials', credentials: { kind: 'token', token } };
  const basic = basicOf(valueOf(secret, 'username'), valueOf(secret, 'password'));
  if (basic !== undefined) return { kind: 'credentials', credentials: basic };
  return unusable(secret, `must contain either 'token' or 'username'+'password' keys`);
}

function fromDockerConfig(secret: PullSecret, host: string): SecretCredentials {
  const text = valueOf(secret, DOCKER_CONFIG_KEY);
  if (text === undefined) return unusable(secret, `has no key ${DOCKER_CONFIG_KEY}`);
  const parsed = parseJsonText(text);
  if (parsed.kind === 'invalid' || !isJsonObject(parsed.value)) {
    return unusable(secret, `holds malformed JSON in ${DOCKER_CONFIG_KEY}`);
  }
  const auths = parsed.value['auths'];
  const entries = isJsonObject(auths) ? Object.entries(auths) : [];
  if (entries.length === 0) return unusable(secret, 'has no registry entries');
  const wanted = normalizeHost(host);
  const entry = entries.find(([key]) => normalizeHost(key) === wanted)?.[1];
  if (!isJsonObject(entry)) {
    const available = entries.map(([key]) => key).toSorted(byText);
    return unusable(
      secret,
      `has no entry for registry "${host}"; it has entries for ${available.join(', ')}`,
    );
  }
  return fromEntry(secret, entry, host);
}

function fromEntry(secret: PullSecret, entry: JsonObject, host: string): SecretCredentials {
  const basic = basicOf(textOf(entry['username']), textOf(entry['password']));
  if (basic !== undefined) return { kind: 'credentials', credentials: basic };
  const auth = textOf(entry['auth']);
  if (auth === undefined || auth === '') return unusable(secret, `has an empty entry for registry "${host}"`);
  const decoded = decodeBase64(auth);
  if (decoded === undefined)
    return unusable(secret, `has an entry for registry "${host}" whose auth is not base64`);
  const colon = decoded.indexOf(':');
  if (colon < 1)
    return unusable(secret, `has an entry for registry "${host}" whose auth is not user:password`);
  const credentials = {
    kind: 'basic',
    username: decoded.slice(0, colon),
    password: decoded.slice(colon + 1),
  } as const;
  return { kind: 'credentials', credentials };
}

function basicOf(
  username: string | undefined,
  password: string | undefined,
): RegistryCredentials | undefined {
  if (username === undefined || username === '' || password === undefined || password === '')
    return undefined;
  return { kind: 'basic', username, password };
}

function valueOf({ data }: PullSecret, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return value === undefined ? undefined : decodeBase64(value);
}

function decodeBase64(text: string): string | undefined {
  const compact = text.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) return undefined;
  return Buffer.from(compact, 'base64').toString('utf8');
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function unusable({ name }: PullSecret, what: string): SecretCredentials {
  return { kind: 'unusable', message: `secret "${name}" ${what}` };
}
