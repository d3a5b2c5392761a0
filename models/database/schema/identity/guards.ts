import { type Guards, IN_TENANT, isolate, may, policy, touched } from '../../isolation.js';

export const guards: Guards = {
  users: [may('SELECT, INSERT, UPDATE, DELETE'), touched],
  user_emails: [may('SELECT, INSERT, UPDATE, DELETE'), touched],
  failure_budgets: [may('SELECT, INSERT, UPDATE, DELETE')],
  password_resets: [may('SELECT, INSERT, UPDATE, DELETE')],
  // deleted when the account is erased
  security_events: [may('SELECT, INSERT, DELETE')],
  account_notices: [may('SELECT, INSERT, UPDATE, DELETE')],
  account_deletions: [may('SELECT, INSERT, UPDATE'), touched],

  sessions: [may('SELECT, INSERT, UPDATE, DELETE'), touched],
  refresh_tokens: [may('SELECT, INSERT, UPDATE, DELETE')],
  session_cutoffs: [may('SELECT, INSERT, UPDATE, DELETE')],
  impersonations: [isolate()],

  webauthn_credentials: [may('SELECT, INSERT, UPDATE, DELETE'), touched],
  webauthn_challenges: [may('SELECT, INSERT, UPDATE, DELETE')],
  passkey_enrollment_dismissals: [may('SELECT, INSERT, UPDATE, DELETE')],

  sso_connections: [
    // looked up by slug before a tenant is known, changed only within it
    (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;`,
    policy('look_up', 'SELECT', 'USING (true)'),
    policy('add_own', 'INSERT', `WITH CHECK (${IN_TENANT})`),
    policy('change_own', 'UPDATE', `USING (${IN_TENANT})`),
    policy('remove_own', 'DELETE', `USING (${IN_TENANT})`),
    may('SELECT, INSERT, UPDATE, DELETE'),
    touched,
  ],
  oauth_configurations: [isolate()],
  sso_identities: [may('SELECT, INSERT, UPDATE, DELETE')],
  sso_flows: [may('SELECT, INSERT, UPDATE, DELETE')],
  sso_codes: [may('SELECT, INSERT, UPDATE, DELETE')],
  sso_refusals: [isolate('SELECT, INSERT, DELETE')],
  oidc_logout_tokens: [isolate()],
  saml_configurations: [isolate()],
  saml_seen_messages: [isolate()],
  saml_encryption_keys: [isolate()],
  saml_certificate_warnings: [isolate('SELECT, INSERT, DELETE')],
};
