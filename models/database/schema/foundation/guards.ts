import { type Guards, immutable, isolate, trackEdits, trackUpdates } from '../../isolation.js';

/** Settings, which people edit. */
const CONFIGURED: Guards = {
  foundation_configs: [isolate('SELECT, INSERT, UPDATE'), trackUpdates],
  foundation_admins: [isolate(), trackUpdates],
  foundation_payment_processors: [isolate(), trackUpdates],
  funds: [
    isolate(
      `SELECT, INSERT (id, organization_id, name, description, goal_cents, is_default, is_active),
       UPDATE (name, description, goal_cents, is_default, is_active, version, updated_at)`,
    ),
    trackEdits('total_cents'),
  ],
  campaigns: [
    isolate(
      `SELECT, DELETE, INSERT (id, organization_id, fund_id, title, description, goal_cents, starts_on, ends_on, slug,
         suggested_amounts, visibility, goods_description, goods_value_cents),
       UPDATE (fund_id, title, description, goal_cents, starts_on, ends_on, slug, suggested_amounts, visibility,
         goods_description, goods_value_cents, hero_file_id, status, published_at, closed_at, version, updated_at)`,
    ),
    trackEdits('raised_cents'),
  ],
};

/** Columns of a gift that are known before it is paid; app.add_donation_entry derives the others. */
const PROMISED = `id, organization_id, donor_id, campaign_id, fund_id, amount_cents, fee_cents, currency, base_amount_cents,
  first_name, last_name, is_anonymous, idempotency_key, request_hash, network_digest, method, received_on`;

/**
 * Tables of money and of its records. They change only in the columns named here, by the transitions that
 * keep_gift_facts allows.
 */
const MONEY: Guards = {
  donors: [
    isolate(
      `SELECT, INSERT (id, organization_id, email, first_name, last_name, phone, address, user_id),
       UPDATE (email, first_name, last_name, phone, address, user_id, is_anonymous, name_corrected_at, erased_at, updated_at)`,
    ),
    trackUpdates,
  ],
  donations: [
    isolate(
      `SELECT, INSERT (${PROMISED}),
       UPDATE (amount_cents, fee_cents, status, under_review, failure_code, network_digest, updated_at)`,
    ),
    trackUpdates,
  ],
  donation_entries: [isolate('SELECT, INSERT'), immutable],
  receipt_counters: [isolate('SELECT, INSERT, UPDATE (last_number)')],
  tax_receipts: [
    isolate(
      `SELECT, INSERT (id, organization_id, donor_id, donation_id, annual_run_id, tax_year, sequence, amount_cents,
         currency, replaces, code, printed, mail_status),
       UPDATE (status, ended_at, mail_status, mail_count, mail_requested_at, mailed_at, updated_at)`,
    ),
    trackUpdates,
  ],
  annual_receipt_runs: [
    isolate(
      `SELECT, INSERT (id, organization_id, tax_year, preview_hash, receipts_planned, planned_cents, started_by),
       UPDATE (status, receipts_issued, issued_cents, ended_at, updated_at)`,
    ),
    trackUpdates,
  ],
  annual_receipt_items: [isolate('SELECT, INSERT'), immutable],
};

/** How donors sign in to their own pages. Statements that end a link or a session delete it. */
const ACCESS: Guards = {
  donor_links: [isolate('SELECT, INSERT, DELETE')],
  donor_sessions: [isolate('SELECT, INSERT, DELETE')],
};

/** Mails to donors and members. */
const BULLETINS: Guards = {
  foundation_bulletins: [isolate(), trackUpdates],
  foundation_bulletin_recipients: [
    isolate('SELECT, INSERT, DELETE, UPDATE (status, reason, claimed_round, concluded_at)'),
  ],
  foundation_bulletin_optouts: [isolate('SELECT, INSERT')],
};

export const guards: Guards = { ...CONFIGURED, ...MONEY, ...ACCESS, ...BULLETINS };
