/**
 * Tables without tenant isolation, each with the reason. A test compares this with the catalog and fails on a table
 * that is neither listed nor isolated.
 */
export const PLATFORM_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'Which migrations have run; readiness compares it with what the code comes with.',
  schema_definitions: 'Which functions, triggers and guards have been applied; readiness compares it as well.',
  users: 'A person is one, and may belong to several organizations.',
  user_emails: 'An address proves one person, whatever the organization; matched before a tenant is known.',
  sessions: 'Authentication comes before the tenant: the session says which it is.',
  session_cutoffs: 'Asked for a session that acts elsewhere, before it comes in.',
  refresh_tokens: 'Exchanged without a tenant, by their session.',
  security_events: "What happened to a person's account, for that person, wherever they belong.",
  account_notices: "Mail about a person's account, which is no organization's.",
  webauthn_credentials: 'A passkey signs a person in before a tenant is known.',
  webauthn_challenges: 'Asked before anybody is authenticated.',
  passkey_enrollment_dismissals: 'A person says it once, wherever they belong.',
  social_accounts: "A person's accounts at a professional network, which are no organization's.",
  social_link_flows: 'Linking such an account, from leaving for the network to coming back.',
  account_deletions: 'A person deletes their account, wherever they belong; tenants are gone through one at a time.',
  password_resets: 'A token proves one person, whatever the organization; matched before a tenant is known.',
  failure_budgets: 'Failed log-ins are counted for addresses that may belong to nobody.',
  organizations: 'Looked up at log-in by slug or id; row level security lets a tenant change only its own row.',
  affiliations: 'Who belongs where, kept by triggers: log-in and "my organizations" read it without a tenant.',
  user_quiet_hours: 'A night is a night in each organization that a person belongs to.',
  platform_alerts: 'What those who run the platform tell all organizations.',
  push_tokens: "A person's phone is one, in each organization; row by row it says of which it hears.",
  push_gateways: 'Credentials of the gateways are the platform’s, and so is how they stand.',
  outbox: 'The relay dispatches for all organizations in the order of time; it holds ids only.',
  throttles: 'Requests are counted before anybody is authenticated.',
  sso_connections:
    'Found by slug or e-mail domain before a tenant is known; row level security lets a tenant change only its own.',
  sso_identities: "A person's ways in go with the account; each is bound to one organization's connection.",
  sso_flows: 'Begun and answered before anybody is signed in; found by a digest.',
  sso_codes: 'Exchanged before anybody is signed in; found by a digest.',
};
