/** Metrics of the worker: sweeps of the outbox relay, steps and processes. Labels are fixed names, never ids. */
import { Counter, Gauge, Histogram } from 'prom-client';
import type { ProcessEnd } from '../workflows/contracts/processEnd.js';

const sweeps = new Counter({
  name: 'membership_relay_sweeps_total',
  help: 'Sweeps of the outbox by the relay. Failed: the database could not be read or written.',
  labelNames: ['outcome'] as const,
});
// Initialized to 0, so that the first failure shows as an increase.
for (const outcome of ['ok', 'failed']) sweeps.inc({ outcome }, 0);
const claimedRows = new Counter({
  name: 'membership_relay_rows_total',
  help: 'Outbox rows that the relay claimed for dispatch.',
});
const lastSweep = new Gauge({
  name: 'membership_relay_last_success_timestamp_seconds',
  help: 'Unix time of the last successful sweep of the outbox by the relay.',
});

/**
 * Counts a sweep of the outbox.
 * @param outcome number of rows claimed, or `failed` when the sweep failed
 */
export function countSweep(outcome: number | 'failed'): void {
  if (outcome === 'failed') return sweeps.inc({ outcome });
  sweeps.inc({ outcome: 'ok' });
  claimedRows.inc(outcome);
  lastSweep.setToCurrentTime();
}

const steps = new Histogram({
  name: 'membership_step_duration_seconds',
  help: 'Attempts of steps (activities) by outcome. A failed attempt is retried.',
  labelNames: ['step', 'outcome'] as const,
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
});
const waits = new Histogram({
  name: 'membership_step_wait_seconds',
  help: 'Time that steps waited in their queue for a worker.',
  labelNames: ['queue'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
});

export type StepOutcome = 'ok' | 'failed' | 'cancelled';

export const countStep = (step: string, outcome: StepOutcome, seconds: number): void =>
  steps.observe({ step, outcome }, seconds);

export const countWait = (queue: string, seconds: number): void => waits.observe({ queue }, Math.max(0, seconds));

const processes = new Counter({
  name: 'membership_processes_ended_total',
  help: 'Ended runs of processes (workflows) by outcome, and by the name of the result if there is one.',
  labelNames: ['kind', 'outcome', 'result'] as const,
});

export const countProcess = (kind: string, outcome: ProcessEnd, result: string): void =>
  processes.inc({ kind, outcome, result });
