// The entry of pacto-gate: finds the command, parses its flags, runs it, and turns failures into a sentence and a code.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isatty } from 'node:tty';
import { systemClock } from '../runtime/clock.ts';
import { prepareHeapForCaches } from '../runtime/cache-heap.ts';
import { type CliContext, type Command, EXIT, type Terminal } from './command.ts';
import { type CommandSummary, commandHelp, programHelp } from './help.ts';
import { parseFlags } from './flags.ts';

type Entry = CommandSummary & { readonly load: () => Promise<Command> };

/** Commands are loaded when they are called, so that a quick one does not pay for a large one. */
const COMMANDS: readonly Entry[] = [
  {
    name: 'check',
    summary: 'Decide about Pactos: allow, hold or deny, as an exit code and a text',
    load: async () => (await import('./check/command.ts')).check,
  },
  {
    name: 'status',
    summary: 'Show Pactos and their verdicts as a table',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'validate',
    summary: 'Validate a contract: a folder, a file, standard input or a reference',
    load: async () => (await import('./validate/command.ts')).validate,
  },
  {
    name: 'pack',
    summary: 'Pack a folder into the image of a bundle',
    load: async () => (await import('./pack.ts')).pack,
  },
  {
    name: 'push',
    summary: 'Validate a bundle and store it in a registry',
    load: async () => (await import('./push.ts')).push,
  },
  {
    name: 'operator',
    summary: 'Run the operator, which judges Pactos',
    load: async () => {
      prepareHeapForCaches();
      return (await import('./operator.ts')).operator;
    },
  },
  {
    name: 'webhook',
    summary: 'Run the admission webhook, which answers promotions',
    load: async () => (await import('./webhook.ts')).webhook,
  },
];

/** Runs one command line and returns its exit code. Never throws. */
export async function run(argv: readonly string[], context: CliContext): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined || word === 'help' || word === '--help' || word === '-h') {
    const asked = rest[0] === undefined ? undefined : COMMANDS.find((c) => c.name === rest[0]);
    const text = asked === undefined ? programHelp(COMMANDS) : commandHelp(await asked.load());
    (word === undefined ? context.stderr : context.stdout).write(text);
    return word === undefined ? EXIT.usage : 0;
  }
  if (word === '--version' || word === 'version') {
    context.stdout.write(`pacto-gate ${context.version}\n`);
    return 0;
  }
  const entry = COMMANDS.find((c) => c.name === word);
  if (entry === undefined) {
    context.stderr.write(
      `pacto-gate: there is no command ${JSON.stringify(word)}; see 'pacto-gate --help'\n`,
    );
    return EXIT.usage;
  }
  const command = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    context.stdout.write(commandHelp(command));
    return 0;
  }
  return runCommand(command, rest, context);
}

async function runCommand(command: Command, argv: readonly string[], context: CliContext): Promise<number> {
  try {
    const { flags, operands } = parseFlags(command.flags, argv);
    return await command.run(flags, operands, context);
  } catch (error) {
    context.stderr.write(`pacto-gate ${command.name}: ${sentence(error)}\n`);
    return isExpected(error) ? command.refusalCode : command.refusalCode === 1 ? 1 : EXIT.notEvaluated;
  }
}

/** Errors a person can put right; each says what, where and what to do. */
const EXPECTED = new Set(['USAGE', 'CLUSTER_CONFIG', 'CERTIFICATE', 'LISTEN_FAILED', 'POLICY_FILE']);

function isExpected(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && EXPECTED.has(error.code)
  );
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Runs the process's own command line. */
export async function main(): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => stop.abort(new Error(`received ${signal}`)));
  }
  const context: CliContext = {
    stdout: terminal(1, () => process.stdout, stop),
    stderr: terminal(2, () => process.stderr, stop),
    env: process.env,
    home: homedir(),
    version: version(),
    clock: systemClock,
    signal: stop.signal,
  };
  // After a connection that broke within a TLS record Node.js has been seen to spin for ever while it tears itself down.
  // At this event everything is written and closed, so nothing is lost by leaving without that.
  // oxlint-disable-next-line unicorn/no-process-exit
  process.once('exit', () => process.exit());
  process.exitCode = await run(process.argv.slice(2), context);
}

/** Asks for the stream when it is first used: Node.js takes milliseconds to make one, and most runs need no second. */
function terminal(fd: 1 | 2, open: () => NodeJS.WriteStream, stop: AbortController): Terminal {
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    if (opened !== undefined) return opened;
    opened = open();
    // A reader that has gone (`pacto-gate status | head`) is no reason for a stack trace.
    opened.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      stop.abort(new Error('the reader of the output has gone'));
    });
    return opened;
  };
  return {
    write: (text) => void stream().write(text),
    get isTerminal() {
      // Not `isTTY`: Node.js leaves it out where its types promise `false`.
      return isatty(fd);
    },
    get columns() {
      return stream().columns ?? 80;
    },
  };
}

function version(): string {
  // Sources and compiled files lie at different depths below the manifest.
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8'));
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
        return String(manifest.version);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return 'unknown';
}
