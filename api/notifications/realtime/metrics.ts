/** Metrics of realtime connections. Labels are fixed names, never ids. */
import { Counter, Gauge } from 'prom-client';

export const socketsOpen = new Gauge({
  name: 'membership_realtime_sockets_open',
  help: 'Realtime connections that are open.',
});

const events = new Counter({
  name: 'membership_realtime_events_total',
  help: 'Events that were sent on realtime connections, by type.',
  labelNames: ['event'] as const,
});

export const countEvent = (event: string): void => events.inc({ event });

const REASONS = ['client', 'ended', 'restarting', 'slow', 'silent', 'invalid', 'failed'] as const;
export type Ending = (typeof REASONS)[number];

const closed = new Counter({
  name: 'membership_realtime_sockets_closed_total',
  help: 'Realtime connections that were closed, by reason.',
  labelNames: ['reason'] as const,
});
// Creates the series at the start, so that the first event is seen as an increase.
for (const reason of REASONS) closed.inc({ reason }, 0);

export const countClosed = (reason: Ending): void => closed.inc({ reason });
