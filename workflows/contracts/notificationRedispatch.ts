import type { ScheduledProcess } from './process.js';

/** Starts due deliveries: those that quiet hours released, and lost ones. */
export const notificationRedispatch = {
  name: 'notificationRedispatch',
  kind: 'notification_redispatch',
  taskQueue: 'notify',
  priority: 3,
  schedule: {
    id: 'notification-redispatch',
    calendars: [{ minute: [{ start: 0, end: 59, step: 5 }], hour: '*' }],
    catchupWindow: '10 minutes',
  },
  seenBy: 'platform',
  summary: 'Find organizations with notifications that are due',
  expectedMinutes: 10,
  money: 'never',
  stages: { listing: 'The deliveries of organizations that have something due are started.' },
  ends: { listed: 'Every organization that has something due has its deliveries.' },
  steps: { listDueDeliveries: 'the organizations to be listed that have something due' },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'Deliveries that were started go on; the next run of the schedule comes to the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
