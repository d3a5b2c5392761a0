/**
 * Tables whose rows nobody edits, each with the reason why SQL is all that they need. Every other table has a model; a test asks
 * Postgres, and fails on a table with neither.
 */
export const TABLES_WITHOUT_MODEL: Readonly<Record<string, string>> = {
  schema_migrations: 'Kept by the migrations, which are no part of the running platform.',
  schema_definitions: 'Kept by the migrations, too: which definitions were applied.',
  audit_log: 'Append-only: written by audit() alone, and read as a list.',
  audit_values: 'Written by a trigger of the log alone, and read with it.',
  security_events: 'Append-only: what happened to an account, read as a list.',
  affiliations: 'Derived: triggers keep it from memberships and offices.',
  roster_names: 'Derived: triggers keep it from memberships and names of people.',
  onboarding_items: 'Derived: a trigger writes them with a membership, and what is done is read from facts.',
  officer_term_notices: 'Claims, made in sets: who writes one gives the notice.',
  membership_periods: 'Derived: triggers write it from memberships, as their history.',
  outbox: 'Work to hand on: inserted with the intent, claimed with SKIP LOCKED, removed in sets.',
  refresh_tokens: 'Made and used by the statements that begin and refresh a session: of two at once one gets through.',
  session_cutoffs: 'Upserted: the latest moment counts.',
  impersonations:
    'Written once, by the statement that begins its session, and never changed: it ends with the session.',
  password_resets: 'Tokens: upserted, and spent by the statement that deletes them.',
  webauthn_challenges: 'Tokens: spent by the statement that deletes them.',
  passkey_enrollment_dismissals: 'Upserted: when somebody last said not now.',
  social_link_flows: 'Tokens: spent by the statement that deletes them.',
  sso_flows: 'Tokens: spent by the statement that deletes them.',
  sso_codes:
    'Tokens: spent by the statement that deletes them, or deleted in sets with the sessions that they would open.',
  sso_identities: 'Claims: who links an identity first has it; found and stamped by one statement at each sign-in.',
  sso_refusals: 'Append-only, as far as an hour may have them: what went wrong, read as a list.',
  oidc_logout_tokens: 'Claims: a message that was seen counts no more; cleared in sets.',
  saml_seen_messages: 'Claims: a message that was seen counts no more; cleared in sets.',
  saml_certificate_warnings: 'Claims: who writes it first tells the admins.',
  invitation_mails: "Claims: who gets an address's mail of the day; cleared in sets.",
  notification_defaults: 'Upserted in sets: what an organization says of events for those who have not chosen.',
  bulletin_dismissals: 'Upserted: what somebody has put away for themselves.',
  notification_mutes: 'Upserted: what somebody does not want to hear of.',
  notification_deliveries: 'Work: made in sets by a trigger, claimed with SKIP LOCKED, and closed in sets.',
  push_delivery_records: 'Claims: written before a push is sent, closed in sets, and counted.',
  push_gateways: 'Two rows that statements switch: who notices first pauses a gateway.',
  mail_messages: 'Claims, made in sets before mails are sent, and closed in sets; reports find them by their id.',
  notification_digests: 'Made in sets, a page of people in a statement, and closed in sets as they are mailed.',
  bulk_import_rows: 'Lines of a file, written, judged and closed in sets.',
  mail_server_failures: 'Upserted by whoever could not send, deleted by whoever could.',
  rollover_lines:
    'A plan, written in one statement when a rollover is confirmed, and closed in sets with what it does.',
  stored_files:
    'Claims: written before a file is uploaded, closed by one statement, and cleared in sets with its bytes.',
  throttles: 'Counters: one upsert a request, on a pool of its own.',
  failure_budgets: 'Counters: upserted, and read under a lock.',
  dues_run_items: 'A plan, written in one statement when a run is confirmed, and never changed.',
  invoice_line_items: 'Facts, written in one statement with the invoices that they make up, and never changed.',
  invoice_discounts: 'No operation gives or voids one yet: amounts of invoices count those that are there, as a sum.',
  invoice_notices: 'Work: the claim that something is due to be told once, written in sets with what marks invoices.',
  payment_records:
    'Facts: a charge pays all of its invoices in one statement, one payment is an upsert, refunds fill many.',
  chapter_remittance_allocations: 'Shares, written, reserved, released and paid in sets, as many as a remittance has.',
  chapter_account_credits: 'Append-only: a ledger, whose sums decide in the same statements what may be written.',
  webhook_events: "An inbox: an upsert by the sender's id, and marked in the transaction that applies it.",
};
