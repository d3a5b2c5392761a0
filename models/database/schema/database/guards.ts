import { forced, type Guards, may, policy, touched } from '../../isolation.js';

const OWN = 'id = (SELECT app.org_id())';

export const guards: Guards = {
  organizations: [
    // looked up before a tenant is known, changed only from inside it
    forced,
    policy('look_up', 'SELECT', 'USING (true)'),
    policy('create_own', 'INSERT', `WITH CHECK (${OWN})`),
    policy('change_own', 'UPDATE', `USING (${OWN})`),
    may('SELECT, INSERT, UPDATE'),
    touched,
  ],
  outbox: [may('SELECT, INSERT, UPDATE, DELETE')],
  throttles: [may('SELECT, INSERT, UPDATE, DELETE')],
};
