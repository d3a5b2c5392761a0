/**
 * Tables whose rows nobody edits, each with the reason why SQL is all that they need. Every other table has a model; a test asks
 * Postgres, and fails on a table with neither.
 */
export const TABLES_WITHOUT_MODEL: Readonly<Record<string, string>> = {
  schema_migrations: 'Kept by the migrations, which are no part of the running platform.',
  schema_definitions: 'Kept by the migrations, too: which definitions were applied.',
  audit_log: 'Append-only: written by audit() alone, and read as a list.',
  security_events: 'Append-only: what happened to an account, read as a list.',
  affiliations: 'Derived: triggers keep it from memberships and offices.',
  outbox: 'Work to hand on: inserted with the intent, claimed with SKIP LOCKED, removed in sets.',
  throttles: 'Counters: one upsert a request, on a pool of its own.',
  failure_budgets: 'Counters: upserted, and read under a lock.',
};
