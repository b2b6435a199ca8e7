// The one reason for which a test may be skipped: something that a machine may lack, from a list that is counted at the end.
import type { TestContext } from 'node:test';

const WORDS = {
  proc: '/proc, which tells when a process started',
  'user-namespaces': 'user namespaces, in which a test may mount a small disk',
} as const;

/** What a machine may lack and the project's CI machine does not. */
export type Lack = keyof typeof WORDS;

/** Skips the test with the reason. The test still has to return. */
export function skipLacking(t: TestContext, what: Lack): void {
  t.skip(`this machine lacks ${WORDS[what]}`);
}
