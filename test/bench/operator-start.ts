// Starts what the benches of the operator measure; the operator as the command line does, with its heap prepared before all else.
import { prepareHeapForCaches } from '../../runtime/cache-heap.ts';

const [, , scenario] = process.argv;
if (scenario === 'records' || scenario === 'operator') prepareHeapForCaches();
await import('./operator-subject.ts');
