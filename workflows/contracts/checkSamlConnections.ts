import type { ProcessFacts } from './process.js';

/** Looks at every SAML connection. Started by a Schedule, for no organization. */
export const checkSamlConnections: ProcessFacts = {
  name: 'checkSamlConnections',
  kind: 'saml_check_schedule',
  taskQueue: 'bulk',
  summary: 'Refresh SAML metadata and warn of certificates that end',
  priority: 4,
  expectedMinutes: 60,
  steps: {
    listSamlConnections: 'the connections to be listed',
    checkSamlConnection: "identity providers' metadata addresses",
  },
  cancel: { when: 'any_time', says: 'What was taken over stays; the next run of the schedule comes to the others.' },
};
