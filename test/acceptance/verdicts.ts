// What the operator wrote about each Pacto of a namespace: verdict after verdict, in its order, none missed.
import assert from 'node:assert/strict';
import type { TestClient } from '../cluster/client.ts';
import { at, type KubeObject, listAt, textAt } from '../cluster/kube-object.ts';
import { waitUntil } from '../cluster/wait-until.ts';

/** Passes that came to the same verdict one after the other are one. Times are those stored, in ms since 1970. */
export type Verdict = {
  readonly status: string;
  /** A line each, in their order: `error INTERFACE_ABSENT interface/http at interfaces[name=http]`. */
  readonly findings: readonly string[];
  /** When each window began that is kept, by `kind/subject`. */
  readonly windows: Readonly<Record<string, number>>;
  /** Paths that were declared and nothing was found out about. */
  readonly unverified: readonly string[];
  /** The Pacto as the last of them left it. */
  readonly object: KubeObject;
  /** When the first pass was that came to it, and the last one that wrote so. */
  readonly from: number;
  readonly to: number;
};

type Story = {
  /** The last one is written on while passes come to the same. */
  readonly verdicts: { -readonly [field in keyof Verdict]: Verdict[field] }[];
  /** How many of them were asked for already. */
  told: number;
  /** Of the object as last seen. */
  revision: bigint;
};

export class Verdicts {
  readonly #stories = new Map<string, Story>();
  readonly #path: string;
  readonly #admin: TestClient;
  #broken: unknown;

  private constructor(admin: TestClient, path: string) {
    this.#admin = admin;
    this.#path = path;
  }

  /** Follows every Pacto that comes to the namespace, until `signal`. */
  static async follow(admin: TestClient, namespace: string, signal: AbortSignal): Promise<Verdicts> {
    const path = `/apis/pacto.trianalab.io/v1alpha1/namespaces/${namespace}/pactos`;
    const verdicts = new Verdicts(admin, path);
    const { resourceVersion } = (await admin.list(path)).body.metadata ?? {};
    void verdicts.#watch({ resourceVersion }, signal);
    return verdicts;
  }

  /** The next verdict that was not asked for yet. */
  next(name: string): Promise<Verdict> {
    return this.#asked(name, 'another verdict', ({ told }) => told);
  }

  /** Passes verdicts over until one fits: caches may learn of one object before another. */
  until(name: string, fits: (verdict: Verdict) => boolean): Promise<Verdict> {
    return this.#asked(name, 'a certain verdict', ({ verdicts, told }) => {
      const index = verdicts.slice(told).findIndex(fits);
      return index < 0 ? -1 : told + index;
    });
  }

  /** Has the operator look again at once; resolves with what it wrote then. */
  async again(name: string): Promise<Verdict> {
    // Of two passes in one second that come to the same, the second writes nothing new.
    await this.#wait(
      name,
      'end of the second',
      ({ verdicts }) => Date.now() >= (verdicts.at(-1)?.to ?? 0) + 1_000,
    );
    const metadata = { annotations: { 'test.pacto-gate/look': String(performance.now()) } };
    const { code, body } = await this.#admin.mergePatch(`${this.#path}/${name}`, { metadata });
    assert.equal(code, 200);
    const asked = BigInt(body.metadata?.resourceVersion ?? 0);
    return this.#wait(name, 'another pass', ({ revision, verdicts }) => revision > asked && verdicts.at(-1));
  }

  async #asked(name: string, what: string, find: (story: Story) => number): Promise<Verdict> {
    const { verdict, index } = await this.#wait(name, what, (story) => {
      const index = find(story);
      const verdict = story.verdicts[index];
      return verdict && { verdict, index };
    });
    this.#story(name).told = index + 1;
    return verdict;
  }

  #wait<T>(name: string, what: string, ask: (story: Story) => T | undefined | false): Promise<T> {
    const looked = (): T | undefined | false => {
      if (this.#broken !== undefined) throw this.#broken;
      return ask(this.#story(name));
    };
    return waitUntil(`${what} about ${name}`, looked).catch((cause: unknown) => {
      throw new Error(`there is no ${what} about ${name} after ${this.history(name)}`, { cause });
    });
  }

  /** All that was said about it, in words. */
  history(name: string): string {
    return this.#story(name)
      .verdicts.map(({ status, findings, windows, from, to }) => {
        const times = [from, to].map((time) => new Date(time).toISOString().slice(14, 19));
        return `${times.join('-')} ${[status, ...findings, ...Object.keys(windows)].join(', ')}`;
      })
      .join('; ');
  }

  #story(name: string): Story {
    const known = this.#stories.get(name) ?? { verdicts: [], told: 0, revision: 0n };
    this.#stories.set(name, known);
    return known;
  }

  async #watch(query: { readonly resourceVersion: string | undefined }, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of this.#admin.watch(this.#path, query, signal)) {
        if (event.kind === 'refused') throw new Error(`the watch was refused (${event.code})`);
        this.#take(event.object);
      }
      if (!signal.aborted) throw new Error('the watch of verdicts has ended');
    } catch (error) {
      this.#broken = error;
    }
  }

  #take(object: KubeObject): void {
    const story = this.#story(object.metadata?.name ?? '');
    story.revision = BigInt(object.metadata?.resourceVersion ?? 0);
    // The status of an earlier contract, or none yet.
    if (at(object, 'status', 'observedGeneration') !== object.metadata?.generation) return;
    const verdict = verdictOf(object);
    const last = story.verdicts.at(-1);
    if (last === undefined || key(last) !== key(verdict)) story.verdicts.push(verdict);
    else Object.assign(last, verdict, { from: last.from });
  }
}

const key = ({ status, findings, windows }: Verdict): string => JSON.stringify([status, findings, windows]);

function verdictOf(object: KubeObject): Verdict {
  const judgedAt = Date.parse(textAt(object, 'status', 'lastReconciledAt'));
  return {
    status: textAt(object, 'status', 'contractStatus'),
    findings: listAt(object, 'status', 'findings').map(lineOf),
    windows: Object.fromEntries(
      listAt(object, 'status', 'observationWindows').map((window) => [
        `${textAt(window, 'kind')}/${textAt(window, 'subject')}`,
        Date.parse(textAt(window, 'firstObservedNegativeAt')),
      ]),
    ),
    unverified: listAt(object, 'status', 'evaluationCoverage', 'unverified').map(String),
    object,
    from: judgedAt,
    to: judgedAt,
  };
}

const lineOf = (finding: unknown): string =>
  `${textAt(finding, 'severity')} ${textAt(finding, 'code')} ${textAt(finding, 'subject')} at ${textAt(finding, 'contractPath')}`;
