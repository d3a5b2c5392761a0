/**
 * What becomes of the rows that name a person when the person is erased. A test asks Postgres for every table that
 * references users, and fails on one that is in none of these lists.
 */

/** Rows that are about the person's account alone: deleted, by the column that names the person. */
export const DELETED: Readonly<Record<string, string>> = {
  user_emails: 'user_id',
  password_resets: 'user_id',
  webauthn_credentials: 'user_id',
  webauthn_challenges: 'user_id',
  passkey_enrollment_dismissals: 'user_id',
  sso_identities: 'user_id',
  sso_codes: 'user_id',
  session_cutoffs: 'user_id',
  social_accounts: 'user_id',
  social_link_flows: 'user_id',
  security_events: 'user_id',
  account_notices: 'user_id',
};

/** Rows that stay without what is personal in them, or that only point at the nameless account that is left. */
export const KEPT: Readonly<Record<string, string>> = {
  sessions: 'Ended, without address and device: other rows refer to them.',
  account_deletions: 'Says that the account was erased, and when.',
  affiliations: 'Kept by triggers from memberships and offices, which have ended.',
  memberships: 'Inactive; invoices and the ledger hang on them.',
  organization_admins: 'Inactive; says who was responsible.',
  regional_admins: 'Inactive; says who was responsible.',
  audit_log: 'Who did what is an organization’s to keep, by id.',
  invitations: 'Who asked whom is an organization’s to keep, by id.',
  impersonations: 'Who looked through whose eyes is an organization’s to keep, by id.',
  verified_domains: 'Who of the platform verified it is for the platform to keep, by id.',
  dues_runs: 'The ledger: who started it, by id.',
  invoice_discounts: 'The ledger: who granted it, by id.',
  chapter_remittances: 'The ledger: who made it, by id.',
  payment_attempts: 'The ledger: who asked for it, by id.',
  capture_resolutions: 'The ledger: who decided, by id.',
  chapter_account_credits: 'The ledger: who wrote it, by id.',
};
