// Why a pass runs: for the Pacto's own sake, or only because something else moved. The queue knows keys alone.

export type PassCause = 'own' | 'other';

export class PassCauses {
  readonly #own = new Set<string>();
  readonly #dueAt = new Map<string, number>();

  /** Notes an event for a key; `own` outweighs `other` until the pass takes it. */
  note(key: string, cause: PassCause): void {
    if (cause === 'own') this.#own.add(key);
  }

  /** Notes when a pass is due by itself, in milliseconds of monotonic time. As in the queue, the earliest one counts. */
  due(key: string, at: number): void {
    this.#dueAt.set(key, Math.min(at, this.#dueAt.get(key) ?? at));
  }

  /** Takes the cause of the pass that starts now. A key never seen, or whose time has come, passes for its own sake. */
  take(key: string, now: number): PassCause {
    const dueAt = this.#dueAt.get(key);
    const isDue = dueAt === undefined || now >= dueAt;
    if (isDue) this.#dueAt.delete(key);
    const own = this.#own.delete(key);
    return own || isDue ? 'own' : 'other';
  }

  /** Puts a cause back when its pass failed, so that the retry is not taken for a lesser one. */
  restore(key: string, cause: PassCause): void {
    this.note(key, cause);
  }

  forget(key: string): void {
    this.#own.delete(key);
    this.#dueAt.delete(key);
  }
}
