/** What is measured of processes being started. */
import { Counter } from 'prom-client';
import { PROCESSES } from '../../workflows/contracts/index.js';

/**
 * `signalled`: started by the signal or already there, the server does not tell which; `started_again`: a row waited for
 * it, and it did not run.
 */
export type StartOutcome = 'started' | 'already_started' | 'signalled' | 'started_again' | 'failed';

const starts = new Counter({
  name: 'membership_process_starts_total',
  help: 'Tries to start a process in Temporal by this process, and what became of them.',
  labelNames: ['kind', 'outcome'] as const,
});

// From the start, so that the first failure is seen as a rise.
for (const { kind } of PROCESSES) starts.inc({ kind, outcome: 'failed' }, 0);

export const countStart = (kind: string, outcome: StartOutcome): void => starts.inc({ kind, outcome });
