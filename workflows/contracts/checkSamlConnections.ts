import type { ScheduledProcess } from './process.js';

/** Checks every SAML connection. Started by a Schedule; belongs to no organization. */
export const checkSamlConnections = {
  name: 'checkSamlConnections',
  kind: 'saml_check_schedule',
  taskQueue: 'bulk',
  priority: 4,
  // Once a day, at a quiet hour.
  schedule: { id: 'check-saml', calendars: [{ minute: 35, hour: 3 }], catchupWindow: '1 day' },
  seenBy: 'platform',
  summary: 'Refresh SAML metadata and warn of certificates that end',
  expectedMinutes: 60,
  money: 'never',
  stages: { checking: 'Connections are looked at: their metadata addresses, and when their certificates end.' },
  ends: { checked: 'Every connection was looked at.' },
  steps: {
    listSamlConnections: 'the connections to be listed',
    checkSamlConnection: "identity providers' metadata addresses",
  },
  sleepsUntil: null,
  failures: {},
  cancel: {
    when: 'any_time',
    rows: 'as_they_are',
    says: 'What was taken over stays; the next run of the schedule comes to the others.',
  },
} as const satisfies ScheduledProcess<'checked'>;
