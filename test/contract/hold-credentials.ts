// A process that holds credentials on disk until it is killed, or throws. Words: folder, then `throw` or nothing.
import { CredentialFolders } from '../../contract/registry/credential-folders.ts';

const [, , root = '', how] = process.argv;
await new CredentialFolders(root).write('secret');
if (how === 'throw') throw new Error('on purpose');
process.stdout.write('held\n');
// Gone with the test that started it.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.resume();
