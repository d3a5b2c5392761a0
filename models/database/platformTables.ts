/**
 * Tables without tenant isolation, each with the reason. A test compares this with the catalog and fails on a table
 * that is neither listed nor isolated.
 */
export const PLATFORM_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'Applied migrations; readiness compares them with those of the code.',
  schema_definitions: 'Applied functions, triggers and guards; readiness compares them as well.',
  users: 'A person has one account, and may belong to several organizations.',
  user_emails: 'An address belongs to one person in all organizations; looked up before a tenant is known.',
  sessions: 'Authentication comes before the tenant: the session names it.',
  session_cutoffs: 'Read for a session of another organization, before it may enter this one.',
  refresh_tokens: 'Exchanged without a tenant, by their session.',
  security_events: "Events of a person's account, for that person, in all organizations.",
  account_notices: "Mail about a person's account, which belongs to no organization.",
  webauthn_credentials: 'A passkey signs a person in before a tenant is known.',
  webauthn_challenges: 'Created before the caller is authenticated.',
  passkey_enrollment_dismissals: 'Valid for a person in all organizations.',
  social_accounts: "A person's accounts at a professional network, which belong to no organization.",
  social_link_flows: 'Started links of such accounts, until the person returns from the network.',
  account_deletions: 'A person deletes their account in all organizations, one tenant after another.',
  password_resets: 'A token belongs to one person in all organizations; looked up before a tenant is known.',
  failure_budgets: 'Failed log-ins are counted for addresses that may belong to no account.',
  organizations: 'Looked up at log-in by slug or id; row level security lets a tenant change only its own row.',
  affiliations:
    'Organizations of each person, maintained by triggers: log-in and "my organizations" read it without a tenant.',
  user_quiet_hours: 'Quiet hours of a person apply in all of their organizations.',
  platform_alerts: "Alerts of the platform's operators to all organizations.",
  push_tokens: "A person's device has one row for all organizations; the row limits which ones it serves.",
  push_gateways: 'The credentials of the gateways belong to the platform, and so does their state.',
  platform_audit_log: 'Changes that platform admins make, in one organization, in none or in all.',
  outbox: 'The relay dispatches for all organizations in order of time; it holds ids only.',
  process_incidents:
    'Stuck processes of all organizations and of the platform, written by the worker without a tenant; it holds ids only.',
  throttles: 'Requests are counted before the caller is authenticated.',
  sso_connections:
    'Found by slug or e-mail domain before a tenant is known; row level security lets a tenant change only its own.',
  sso_identities: "Identities are deleted with the account; each is bound to one organization's connection.",
  sso_flows: 'Begun and answered before the person is signed in; found by a digest.',
  sso_codes: 'Exchanged before the person is signed in; found by a digest.',
};
