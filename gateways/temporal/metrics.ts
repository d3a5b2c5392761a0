/** Metrics of process starts. */
import { Counter } from 'prom-client';
import { PROCESSES } from '../../workflows/contracts/index.js';

/**
 * `signalled`: the signal reached the process, or started it; the server does not report which. `started_again`: the
 * process was not running although an outbox row waited for it.
 */
export type StartOutcome = 'started' | 'already_started' | 'signalled' | 'started_again' | 'failed';

const starts = new Counter({
  name: 'membership_process_starts_total',
  help: 'Attempts to start a process in Temporal, by kind and outcome.',
  labelNames: ['kind', 'outcome'] as const,
});

// Creates the series at the start, so that the first failure is seen as an increase.
for (const { kind } of PROCESSES) starts.inc({ kind, outcome: 'failed' }, 0);

export const countStart = (kind: string, outcome: StartOutcome): void => starts.inc({ kind, outcome });
