// Makes something that asks, with its questions answered: the one part of evaluation that waits.
import { AnswerBook, type Inquirer, type Inquiry } from './inquiry.ts';

/**
 * Answers change what is looked at next, and so may the cluster meanwhile. Nothing needs more than two rounds; what is
 * still open after these stays undecided in this pass.
 */
const MAX_ROUNDS = 3;

/**
 * Attempts, asks what is open all at once, and attempts again with the answers. `attempt` must be pure: only its last
 * result is returned. Rejects only when `signal` aborts.
 */
export async function answerAll<T extends { readonly open: readonly Inquiry[] }>(
  attempt: (answers: AnswerBook) => T,
  inquire: Inquirer,
  signal: AbortSignal,
): Promise<T> {
  const answers = new AnswerBook();
  let made = attempt(answers);
  for (let round = 0; made.open.length > 0 && round < MAX_ROUNDS; round += 1) {
    await Promise.all(
      made.open.map(async (inquiry) => answers.enter(inquiry, await inquire(inquiry, signal))),
    );
    made = attempt(answers);
  }
  return made;
}
