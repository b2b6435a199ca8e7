// The program from its sources, as a process with a standard input of its own.
import { main } from '../../cli/main.ts';

await main();
