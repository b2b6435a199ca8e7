// Sets V8's heap up for a process that holds very many small objects for long and reads large answers in passing.
import { setFlagsFromString } from 'node:v8';

/** Call it before anything large is loaded: V8 keeps what it has grown to. Takes effect for the whole process. */
export function prepareHeapForCaches(): void {
  // What is read in passing dies young either way; more room for it only leaves memory behind that nobody gives back.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Buffers of answers lie beside the heap and, once they have outlived its young part, wait until all of it is collected. V8 lets
  // 64 MB of them wait unless the heap gives a reason before, and the pages they leave are not given back, since something small
  // that lasts lies on each: 220 MB of RSS become 160 (docs/performance.md).
  setFlagsFromString('--heap-growing-percent=20');
}
