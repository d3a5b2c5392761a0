import { keepsRows, type ScheduledProcess, scheduledProcess } from './process.js';

/** Checks every SAML connection. Started by a Schedule; belongs to no organization. */
export const checkSamlConnections = {
  ...scheduledProcess,
  name: 'checkSamlConnections',
  kind: 'saml_check_schedule',
  // Once a day, at a time with little traffic.
  schedule: { id: 'check-saml', calendars: [{ minute: 35, hour: 3 }], catchupWindow: '1 day' },
  summary: 'Refresh SAML metadata and warn of expiring certificates',
  expectedMinutes: 60,
  stages: { checking: 'The metadata URL and the certificate expiry of each connection are being checked.' },
  ends: { checked: 'Every connection was checked.' },
  steps: {
    listSamlConnections: 'the connections to be listed',
    checkSamlConnection: 'metadata from identity providers',
  },
  cancel: {
    ...keepsRows,
    says: 'Changes already applied stay. The next scheduled run checks the other connections.',
  },
} as const satisfies ScheduledProcess<'checked'>;
