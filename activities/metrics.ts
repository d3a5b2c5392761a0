/** Metrics of the worker: sweeps of the relay, steps and processes. Labels are names of ours, never ids. */
import { Counter, Gauge, Histogram } from 'prom-client';
import type { ProcessEnd } from '../workflows/contracts/processEnd.js';

const sweeps = new Counter({
  name: 'membership_relay_sweeps_total',
  help: 'Looks of the relay into the outbox. Failed: the database could not be read or written.',
  labelNames: ['outcome'] as const,
});
// Initialized to 0, so that the first failure shows as an increase.
for (const outcome of ['ok', 'failed']) sweeps.inc({ outcome }, 0);
const taken = new Counter({ name: 'membership_relay_rows_total', help: 'Intents that the relay took to dispatch.' });
const lastSweep = new Gauge({
  name: 'membership_relay_last_success_timestamp_seconds',
  help: 'When the relay last looked into the outbox, in Unix time.',
});

/** @param outcome number of rows taken, or that the sweep failed */
export function countSweep(outcome: number | 'failed'): void {
  if (outcome === 'failed') return sweeps.inc({ outcome });
  sweeps.inc({ outcome: 'ok' });
  taken.inc(outcome);
  lastSweep.setToCurrentTime();
}

const steps = new Histogram({
  name: 'membership_step_duration_seconds',
  help: 'Attempts of steps (activities) by outcome; a failed one is tried again.',
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
  help: 'Runs of processes (workflows) by how they ended, and the name of their result where it has one.',
  labelNames: ['kind', 'outcome', 'result'] as const,
});

export const countProcess = (kind: string, outcome: ProcessEnd, result: string): void =>
  processes.inc({ kind, outcome, result });
