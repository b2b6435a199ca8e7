// The rules of a check: the defaults, a policy file laid over them, and the images that are asked about.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import * as read from '../../api/read.ts';
import { decode } from '../../api/schema/decode.ts';
import { unknownFields } from '../../api/schema/unknown-fields.ts';
import { compilePolicy, type Policy } from '../../gate/policy.ts';
import { DEFAULT_RULES, type Rules } from '../../gate/rules.ts';
import { errorCode } from '../../runtime/error-code.ts';

/** The file of --policy cannot be used; the message says why and what to give. */
export class PolicyFileError extends Error {
  override readonly name = 'PolicyFileError';
  readonly code = 'POLICY_FILE';
}

export type CheckRules = {
  readonly rules: Rules;
  /** The policy they come from, for its freezes; absent without --policy. */
  readonly policy?: Policy;
};

/** Builds the rules. Throws {@link PolicyFileError} for a file that is no policy or holds a setting without meaning. */
export async function checkRules(options: {
  readonly policyFile: string | undefined;
  readonly images: readonly string[];
  readonly windowSeconds: number;
}): Promise<CheckRules> {
  const { policyFile, images, windowSeconds } = options;
  const revision: Rules['revision'] =
    images.length === 0
      ? { kind: 'any' }
      : {
          kind: 'sameImages',
          images: images.map((image) => ({ image, changed: true, container: 'main' as const })),
        };
  if (policyFile === undefined) return { rules: { ...DEFAULT_RULES, windowSeconds, revision } };
  const policy = await policyOf(policyFile, windowSeconds);
  return { rules: { ...policy.rules, revision }, policy };
}

async function policyOf(path: string, windowSeconds: number): Promise<Policy> {
  const object = parseFile(path, await readText(path));
  const kind = read.string(object, 'kind');
  if (kind !== 'PromotionPolicy' && kind !== 'ClusterPromotionPolicy') {
    throw new PolicyFileError(
      `${path} is ${kind === undefined ? 'no Kubernetes object' : `a ${kind}`}; --policy takes a PromotionPolicy or ClusterPromotionPolicy`,
    );
  }
  const decoded = decode(kind, object);
  const problems = [
    ...(decoded.kind === 'invalid'
      ? decoded.problems.map(({ path: at, message }) => `${at === '' ? 'the object' : at}: ${message}`)
      : []),
    ...unknownFields(kind, object).map((field) => `${field}: there is no such field`),
  ];
  if (problems.length > 0) throw new PolicyFileError(`${path}: ${problems.join('; ')}`);
  const policy = compilePolicy(object, { windowSeconds });
  if (policy === undefined)
    throw new PolicyFileError(`${path} has no metadata.name or no spec; give a whole ${kind}`);
  const [problem] = policy.problems;
  if (problem !== undefined) throw new PolicyFileError(`${path}: ${problem}`);
  return policy;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new PolicyFileError(
      `cannot read ${path} (${errorCode(cause)}); --policy must name a readable file`,
      { cause },
    );
  }
}

function parseFile(path: string, text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100, strict: true, stringKeys: true });
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    throw new PolicyFileError(`${path} is no YAML: ${message}`, { cause });
  }
}
