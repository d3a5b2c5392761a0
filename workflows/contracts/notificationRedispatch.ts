import { keepsRows, type ScheduledProcess, scheduledProcess } from './process.js';

/** Starts deliveries that are due: those that waited for the end of quiet hours, and those whose process was lost. */
export const notificationRedispatch = {
  ...scheduledProcess,
  name: 'notificationRedispatch',
  kind: 'notification_redispatch',
  taskQueue: 'notify',
  priority: 3,
  schedule: {
    id: 'notification-redispatch',
    calendars: [{ minute: [{ start: 0, end: 59, step: 5 }], hour: '*' }],
    catchupWindow: '10 minutes',
  },
  summary: 'Find organizations with due notifications',
  expectedMinutes: 10,
  stages: { listing: 'Deliveries are being started for organizations with due notifications.' },
  ends: { listed: 'The deliveries of every organization with due notifications are started.' },
  steps: { listDueDeliveries: 'the list of organizations with due notifications' },
  cancel: {
    ...keepsRows,
    says: 'Deliveries already started continue. The next scheduled run starts the others.',
  },
} as const satisfies ScheduledProcess<'listed'>;
