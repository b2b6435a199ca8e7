// How registries are reached, by flags and environment. Loaded only when one is needed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ContractChecker } from '../../contract/check/contract-checker.ts';
import { ContractLoader } from '../../contract/loader/contract-loader.ts';
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';
import { type CredentialSource, credentialSources } from '../../contract/registry/credentials.ts';
import { type LoadFailureKind, statusOfFailure } from '../../contract/registry/load-failure.ts';
import { OrasClient, type OrasOptions } from '../../contract/registry/oras-client.ts';
import { type CliContext, EXIT } from '../command.ts';
import type { RegistryFlags } from './registry-flags.ts';

export type RegistryAccess = {
  readonly oras: OrasClient;
  readonly loader: ContractLoader;
  readonly sources: readonly CredentialSource[];
};

export type RegistrySettings = Pick<OrasOptions, 'program' | 'env' | 'insecureRegistries'> & {
  readonly sources: readonly CredentialSource[];
};

/** Program, plain-HTTP registries and credentials, by flags and environment. */
export function registrySettings(flags: RegistryFlags, { env, home }: CliContext): RegistrySettings {
  const listed = (env['PACTO_INSECURE_REGISTRIES'] ?? '').split(',');
  const dockerConfig = path.join(env['DOCKER_CONFIG'] ?? path.join(home, '.docker'), 'config.json');
  const sources = credentialSources({
    token: env['PACTO_REGISTRY_TOKEN'],
    username: env['PACTO_REGISTRY_USERNAME'],
    password: env['PACTO_REGISTRY_PASSWORD'],
    dockerConfig: existsSync(dockerConfig) ? dockerConfig : undefined,
  });
  const insecureRegistries = [...flags['insecure-registry'], ...listed];
  return { program: flags.oras, env, insecureRegistries, sources };
}

/** Everything that reaches registries; nothing is started before it is used. */
export function registryAccess(
  flags: RegistryFlags,
  context: CliContext,
  checker: ContractChecker,
): RegistryAccess {
  const { monotonic, timers } = context.clock;
  const { sources, ...settings } = registrySettings(flags, context);
  const oras = new OrasClient({ ...settings, folders: new CredentialFolders(), timers });
  const loader = new ContractLoader({ oras, checker, sources, clock: monotonic, timers });
  return { oras, loader, sources };
}

/** A reference that is none is wrong usage; a registry that says nothing about the contract leaves it open. */
export function exitCodeOfFailure(kind: LoadFailureKind): number {
  if (kind === 'invalid-reference') return EXIT.usage;
  return statusOfFailure(kind) === 'Unknown' ? EXIT.notEvaluated : EXIT.deny;
}
