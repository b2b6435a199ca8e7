// One load from a hostile registry in a process of its own: says what came of it, and how much memory that took.
// Words: path of oras, host of the registry, reference without the host.
import { ContractChecker } from '../../contract/check/contract-checker.ts';
import { ContractLoader } from '../../contract/loader/contract-loader.ts';
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';
import { OrasClient } from '../../contract/registry/oras-client.ts';
import { systemClock } from '../../runtime/clock.ts';

/** Longest run of one oras, in milliseconds. */
const REQUEST_MS = 3_000;

if (import.meta.main) {
  // Ends with the test that started it.
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
  process.stdin.resume();
  const [program = '', host = '', reference = ''] = process.argv.slice(2);
  const { timers, monotonic } = systemClock;
  const oras = new OrasClient({
    program,
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], HOME: process.env['TMPDIR'] },
    insecureRegistries: [host],
    folders: new CredentialFolders(),
    requestTimeoutMs: REQUEST_MS,
    timers,
  });
  const checker = new ContractChecker({ timers });
  const sources = [{ kind: 'anonymous' }] as const;
  const loader = new ContractLoader({ oras, checker, sources, clock: monotonic, timers });
  const loaded = await loader.load({ oci: `${host}/${reference}` }, new AbortController().signal);
  await loader.close();
  await checker.close();
  const outcome = loaded.kind === 'failed' ? `${loaded.failure.kind}: ${loaded.failure.message}` : 'loaded';
  const peakMib = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(JSON.stringify({ outcome, peakMib }));
  process.stdin.pause();
}
