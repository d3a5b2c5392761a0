import { type Guards, IN_TENANT, isolate, grant, policy, trackUpdates } from '../../isolation.js';

export const guards: Guards = {
  users: [grant('SELECT, INSERT, UPDATE'), trackUpdates],
  user_emails: [grant('SELECT, INSERT, UPDATE, DELETE'), trackUpdates],
  failure_budgets: [grant('SELECT, INSERT, UPDATE, DELETE')],
  password_resets: [grant('SELECT, INSERT, UPDATE, DELETE')],
  // Security events are append-only; rows are deleted only when the account is erased.
  security_events: [grant('SELECT, INSERT, DELETE')],
  account_notices: [grant('SELECT, INSERT, UPDATE, DELETE')],
  account_deletions: [grant('SELECT, INSERT, UPDATE'), trackUpdates],

  sessions: [grant('SELECT, INSERT, UPDATE'), trackUpdates],
  refresh_tokens: [grant('SELECT, INSERT, UPDATE')],
  session_cutoffs: [grant('SELECT, INSERT, UPDATE, DELETE')],
  impersonations: [isolate('SELECT, INSERT')],

  webauthn_credentials: [grant('SELECT, INSERT, UPDATE, DELETE'), trackUpdates],
  webauthn_challenges: [grant('SELECT, INSERT, UPDATE, DELETE')],
  passkey_enrollment_dismissals: [grant('SELECT, INSERT, UPDATE, DELETE')],

  sso_connections: [
    // Sign-in looks connections up by slug before a tenant is known, so every row may be read. Changes are limited to
    // rows of the current tenant.
    (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;`,
    policy('look_up', 'SELECT', 'USING (true)'),
    policy('add_own', 'INSERT', `WITH CHECK (${IN_TENANT})`),
    policy('change_own', 'UPDATE', `USING (${IN_TENANT})`),
    policy('remove_own', 'DELETE', `USING (${IN_TENANT})`),
    grant('SELECT, INSERT, UPDATE, DELETE'),
    trackUpdates,
  ],
  // Rows of these tables are deleted together with their connection.
  oauth_configurations: [isolate('SELECT, INSERT, UPDATE')],
  sso_identities: [grant('SELECT, INSERT, UPDATE, DELETE')],
  sso_flows: [grant('SELECT, INSERT, UPDATE, DELETE')],
  sso_codes: [grant('SELECT, INSERT, UPDATE, DELETE')],
  sso_refusals: [isolate('SELECT, INSERT, DELETE')],
  oidc_logout_tokens: [isolate()],
  saml_configurations: [isolate('SELECT, INSERT, UPDATE')],
  saml_seen_messages: [isolate()],
  saml_encryption_keys: [isolate()],
  saml_certificate_warnings: [isolate('SELECT, INSERT')],
};
