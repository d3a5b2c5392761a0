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
  first_name, last_name, is_anonymous, idempotency_key, request_hash, network_digest, method, received_on,
  recurring_interval, pledge_id, period`;

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
       UPDATE (amount_cents, fee_cents, status, under_review, failure_code, network_digest, pledge_id, period, updated_at)`,
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

/** Columns of a pledge that are written when it is born. */
const PLEDGED = `id, organization_id, donor_id, campaign_id, fund_id, processor_id, recurring_interval, amount_cents,
  base_amount_cents, currency, first_name, last_name, is_anonymous, anchor_on, next_period, next_due_at, last_charged_at`;

/** Pledges, changed by the transitions that keep_pledge_facts allows. */
const PLEDGES: Guards = {
  recurring_pledges: [
    isolate(
      `SELECT, INSERT (${PLEDGED}),
       UPDATE (processor_id, amount_cents, base_amount_cents, first_name, last_name, is_anonymous, status, next_period,
         next_due_at, resume_on, missed_in_a_row, card_encrypted, retired_card_encrypted, card_forgotten_at,
         last_charged_at, cancelled_at, cancelled_by, cancel_reason, updated_at)`,
    ),
    trackUpdates,
  ],
  pledge_periods: [
    isolate(
      `SELECT, INSERT (organization_id, pledge_id, n, due_at, donation_id, status, next_try_at, closed_at),
       UPDATE (status, tries, declines, next_try_at, confirming_at, missed_reason, closed_at, updated_at)`,
    ),
    trackUpdates,
  ],
  pledge_notices: [isolate('SELECT, INSERT (organization_id, pledge_id, kind, period), UPDATE (status, concluded_at)')],
};

export const guards: Guards = { ...CONFIGURED, ...MONEY, ...ACCESS, ...BULLETINS, ...PLEDGES };
