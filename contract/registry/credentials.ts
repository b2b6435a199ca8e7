// Credentials for registries, and where they may come from.

export type RegistryCredentials =
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  /** Bearer token of the registry. */
  | { readonly kind: 'token'; readonly token: string };

export type CredentialSource =
  | { readonly kind: 'credentials'; readonly credentials: RegistryCredentials }
  /** A Docker configuration; its helpers are run by oras. */
  | { readonly kind: 'docker-config'; readonly file: string }
  | { readonly kind: 'anonymous' };

const DOCKER_HUB_KEY = 'https://index.docker.io/v1/';

/** A registry configuration in Docker's format that holds one entry, or none. */
export function registryConfig(registry: string, credentials: RegistryCredentials | undefined): string {
  if (credentials === undefined) return JSON.stringify({ auths: {} });
  const key = registry === 'docker.io' ? DOCKER_HUB_KEY : registry;
  const entry =
    credentials.kind === 'token'
      ? { registrytoken: credentials.token }
      : { auth: Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64') };
  return JSON.stringify({ auths: { [key]: entry } });
}

/** Every text in which the credentials of a source may come back: themselves, and as they are sent. */
export function secretsOf(source: CredentialSource): readonly string[] {
  if (source.kind !== 'credentials') return [];
  const { credentials } = source;
  if (credentials.kind === 'token') return [credentials.token];
  const { username, password } = credentials;
  return [Buffer.from(`${username}:${password}`).toString('base64'), password];
}

/**
 * Sources to be tried in order without a pull secret: a token or a user of the environment, the Docker configuration,
 * nobody.
 */
export function credentialSources(options: {
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Path of a Docker configuration file that exists. */
  readonly dockerConfig?: string | undefined;
}): readonly CredentialSource[] {
  const { token = '', username = '', password = '', dockerConfig } = options;
  const sources: CredentialSource[] = [];
  if (token !== '') sources.push({ kind: 'credentials', credentials: { kind: 'token', token } });
  else if (username !== '' && password !== '') {
    sources.push({ kind: 'credentials', credentials: { kind: 'basic', username, password } });
  }
  if (dockerConfig !== undefined) sources.push({ kind: 'docker-config', file: dockerConfig });
  return [...sources, { kind: 'anonymous' }];
}
