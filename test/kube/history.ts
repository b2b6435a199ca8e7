// A random history against real API servers: writes, deletes, cuts, stalls, outages, restarts and compactions, and what must hold.
import { setTimeout as delay } from 'node:timers/promises';
import { CuttingProxy } from '../faults/cutting-proxy.ts';
import type { Arena } from './history-arena.ts';
import { Reader } from './history-reader.ts';
import { NAMESPACE, World } from './history-world.ts';

export type HistoryReport = {
  readonly steps: readonly string[];
  readonly lists: number;
  readonly events: number;
};

const KEYS = 6;

/** A small seeded generator (mulberry32): the same seed gives the same history. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Runs the history of `seed` and checks it; an assertion that fails names the seed, the steps, and what all histories of
 * the arena shared meanwhile.
 */
export async function runHistory(arena: Arena, seed: number, signal: AbortSignal): Promise<HistoryReport> {
  const random = seeded(seed);
  // Drawn apart, so that seeds which once failed still give the steps they failed with.
  const restarts = seeded(seed ^ 0x5bd1e995);
  const moves = seeded(seed ^ 0x2545f491);
  let place: 0 | 1 = moves() < 0.5 ? 0 : 1;
  const { hostname, port } = arena.server(place);
  const proxy = await CuttingProxy.start(hostname, port);
  const world = new World(arena.judge, `h${seed}`);
  const http2 = moves() < 0.8 ? 'prefer' : 'off';
  const lists = moves() < 0.7 ? 'streamed' : 'paged';
  const steps: string[] = [
    `begin at server ${place} with HTTP/${http2 === 'off' ? 1 : 2} and ${lists} lists`,
  ];
  const unsubscribe = arena.onEvent((what) => steps.push(what));
  const options = { config: arena.access, namespace: NAMESPACE, label: world.label, http2, lists } as const;
  let reader = new Reader(options, proxy);
  const totals = { lists: 0, events: 0 };
  const count = async (): Promise<void> => {
    const counted = await reader.check();
    totals.lists += counted.lists;
    totals.events += counted.events;
  };
  /** The reader is cut off and finds another server, or that its version is gone, or both: it shall not go back in time. */
  const change = (dice: number): void => {
    if (dice < 0.05) {
      place = place === 0 ? 1 : 0;
      steps.push(`move to server ${place}`);
      const next = arena.server(place);
      proxy.lead(next.hostname, next.port);
    }
    if (dice >= 0.03 && dice < 0.08) {
      steps.push('its version is gone');
      reader.expire();
    }
    if (dice < 0.08) proxy.cut();
  };
  try {
    const length = 5 + Math.floor(random() * 20);
    for (let i = 0; i < length; i += 1) {
      if (restarts() < 0.02) {
        // The process dies and another begins: it knows nothing of what the first one knew.
        steps.push('restart of the reader');
        await count();
        await reader.stop();
        reader = new Reader(options, proxy);
      }
      change(moves());
      steps.push(await oneStep(random, arena, world, proxy));
    }
    proxy.pass();
    proxy.cutSwallowed();
    await reader.equals(await world.present(), () => arena.beats(place), signal);
    await count();
    return { steps, ...totals };
  } catch (error) {
    const state = { ...(await reader.state()), open: proxy.open, servers: await arena.witness(world.label) };
    throw new Error(
      `history ${seed} failed: ${error instanceof Error ? error.message : String(error)}\nafter: ${steps.join(', ')}\n${JSON.stringify(state, null, 1)}`,
      { cause: error },
    );
  } finally {
    unsubscribe();
    await reader.stop();
    await proxy.close();
    await world.clear();
  }
}

async function oneStep(
  random: () => number,
  arena: Arena,
  world: World,
  proxy: CuttingProxy,
): Promise<string> {
  const key = Math.floor(random() * KEYS);
  const dice = random();
  if (dice < 0.4) return world.write(key);
  if (dice < 0.55) return world.delete(key);
  if (dice < 0.65) {
    await delay(random() * 20);
    return 'wait';
  }
  if (dice < 0.72) {
    proxy.cut();
    return 'cut';
  }
  if (dice < 0.75) {
    proxy.garble();
    return 'garble';
  }
  if (dice < 0.82) {
    proxy.stall(random() * 60);
    return 'stall';
  }
  if (dice < 0.88) {
    proxy.swallow();
    return 'swallow';
  }
  if (dice < 0.93) {
    proxy.refuse();
    return 'refuse';
  }
  if (dice < 0.97) {
    proxy.pass();
    return 'pass';
  }
  await arena.compact();
  return 'compact';
}
