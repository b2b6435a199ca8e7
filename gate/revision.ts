// Rule 11: the verdict must be about the images this change brings, and about a rollout that has ended.
import { CONTINUE, type Ruling } from './judgement.ts';
import type { PromotedImage, RevisionRule } from './rules.ts';
import { pactoKey, type Verdict } from './verdict.ts';

/** What runs now where the verdict was made. */
export type RunningWorkload = {
  readonly kind?: 'running';
  readonly generation: number;
  /** False while old pods remain or new ones are not available. */
  readonly rolledOut: boolean;
  /** Images of its containers, init containers left out. */
  readonly images: readonly string[];
};

/**
 * Compares the promoted images with the judged ones.
 *
 * Every promoted image that is new to its container, or comes from a repository the judged workload runs, must be a
 * judged image: by reference, or by digest when the promoted one is pinned. An unchanged image of a repository that the
 * judged workload does not run (a sidecar of one environment) says nothing and is left out.
 */
export function judgeRevision(verdict: Verdict, rule: RevisionRule, retryAfterSeconds: number): Ruling {
  if (rule.kind === 'any') return CONTINUE;
  const pacto = pactoKey(verdict);
  const judged = verdict.images;
  if (judged === undefined) {
    return hold(
      'WrongRevision',
      pacto,
      `the verdict on Pacto ${pacto} names no images, so it cannot vouch for a revision`,
      retryAfterSeconds,
      [`deploy the workload of Pacto ${pacto}`],
    );
  }
  const other = rule.images.filter((image) => concerns(image, verdict) && !isJudgedImage(image, verdict));
  if (other.length > 0) {
    const brought = other.map((i) => i.image).join(', ');
    return hold(
      'WrongRevision',
      pacto,
      `this change brings ${brought} and the verdict on Pacto ${pacto} is about ${judged.join(', ') || 'no image'}`,
      retryAfterSeconds,
      [`deploy ${brought} where Pacto ${pacto} watches, and wait for its verdict`],
    );
  }
  return judgeRollout(verdict, retryAfterSeconds);
}

function judgeRollout(verdict: Verdict, retryAfterSeconds: number): Ruling {
  const pacto = pactoKey(verdict);
  const again = [`wait for the operator to judge Pacto ${pacto} again`];
  const { running } = verdict;
  if (running?.kind === 'gone') {
    const message = `the workload of Pacto ${pacto} is gone, so its verdict is about nothing that runs`;
    return hold('WrongRevision', pacto, message, retryAfterSeconds, [
      `deploy the workload of Pacto ${pacto}`,
    ]);
  }
  if (running !== undefined && changedSince(verdict, running)) {
    const message = `the workload of Pacto ${pacto} changed after it was judged`;
    return hold('RolloutIncomplete', pacto, message, retryAfterSeconds, again);
  }
  if (running?.rolledOut === false) {
    const message = `the workload of Pacto ${pacto} is still rolling out`;
    return hold('RolloutIncomplete', pacto, message, retryAfterSeconds, [
      `wait for the rollout behind Pacto ${pacto} to end`,
    ]);
  }
  // A verdict made in the middle of a rollout may rest on the old pods, whatever has happened since.
  if (verdict.rolloutComplete === false) {
    const message = `Pacto ${pacto} was judged while its workload was still rolling out`;
    return hold('RolloutIncomplete', pacto, message, retryAfterSeconds, again);
  }
  return CONTINUE;
}

/** By generation where the operator states it, else by the images. */
function changedSince(verdict: Verdict, running: RunningWorkload): boolean {
  if (verdict.workloadGeneration !== undefined) return verdict.workloadGeneration !== running.generation;
  const judged = new Set(verdict.images);
  return running.images.some((image) => !judged.has(image));
}

function hold(
  code: 'WrongRevision' | 'RolloutIncomplete',
  pacto: string,
  message: string,
  retryAfterSeconds: number,
  unblock: readonly string[],
): Ruling {
  return { kind: 'stop', outcome: 'hold', reasons: [{ code, pacto, message }], unblock, retryAfterSeconds };
}

/** Init images of a verdict that does not state them cannot be compared and are left out. */
function concerns(
  { image, changed, container }: PromotedImage,
  { images = [], initImages }: Verdict,
): boolean {
  if (container === 'init' && initImages === undefined) return false;
  const judged = container === 'init' ? (initImages ?? []) : images;
  return changed || judged.some((j) => repositoryOf(j) === repositoryOf(image));
}

/** Whether a verdict is about this image: by reference, or by digest when the image is pinned. */
export function isJudgedImage(
  { image, container }: Pick<PromotedImage, 'image' | 'container'>,
  verdict: Verdict,
): boolean {
  const judged = container === 'init' ? verdict.initImages : verdict.images;
  if (judged?.includes(image) === true) return true;
  const digest = digestOf(image);
  if (digest === undefined) return false;
  const repository = repositoryOf(image);
  return verdict.imageDigests.some((d) => d.digest === digest && repositoryOf(d.image) === repository);
}

/** `registry/path` of an image reference without tag and digest; a port is not a tag. */
export function repositoryOf(image: string): string {
  const name = image.split('@', 1)[0] ?? image;
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}

function digestOf(image: string): string | undefined {
  const at = image.indexOf('@');
  return at === -1 ? undefined : image.slice(at + 1);
}
