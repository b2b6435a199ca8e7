// The thread for long checks: one job after the other, until it is ended.
import { parentPort } from 'node:worker_threads';
import { type CheckJob, runCheckJob } from './check-job.ts';

const port = parentPort;
if (port === null) throw new TypeError('this file is the entry of a thread');
port.on('message', (job: CheckJob) => {
  // A thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  port.postMessage(runCheckJob(job));
});
