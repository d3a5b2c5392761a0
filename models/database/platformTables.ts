/**
 * The tables that are not one tenant's, each with the reason. Every other table is isolated; a test asks Postgres
 * itself and fails on a table that is neither here nor isolated.
 */
export const PLATFORM_TABLES: Readonly<Record<string, string>> = {
  schema_migrations: 'Which migrations have run; the runtime role cannot read it.',
  users: 'A person is one, and may belong to several organizations.',
  user_emails: 'An address proves one person, whatever the organization; matched before a tenant is known.',
  sessions: 'Authentication comes before the tenant: the session says which it is.',
  refresh_tokens: 'Exchanged without a tenant, by their session.',
  failure_budgets: 'Failed log-ins are counted for addresses that may belong to nobody.',
  organizations: 'Looked up at log-in by slug or id; row level security lets a tenant change only its own row.',
  affiliations: 'Who belongs where, kept by triggers: log-in and "my organizations" read it without a tenant.',
  outbox: 'The relay dispatches for all organizations in the order of time; it holds ids only.',
  throttles: 'Requests are counted before anybody is authenticated.',
  webhook_events: 'Stored when a signature is verified, before the tenant is opened; keyed by processor.',
};
