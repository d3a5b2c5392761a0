import { DataTypes } from 'sequelize';
import { z } from 'zod';
import { cents, column, link, moment, oneOf, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { remittanceErrors } from '../remittances/errors.js';

export const ATTEMPT_STATUSES = ['pending', 'succeeded', 'failed', 'flagged'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Reasons to close a hosted page; `app.close_pages` uses the first three. */
const CLOSING_REASONS = ['invoice_paid', 'invoice_void', 'amount_changed', 'replaced', 'cancelled'] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

/** An attempt to pay a remittance by card, or an invoice or a gift on the gateway's hosted page. */
export class PaymentAttempt extends defineModel({
  table: 'payment_attempts',
  columns: {
    ...tenantKeys,
    remittance_id: link().nullable(),
    invoice_id: link().nullable(),
    donation_id: link().nullable(),
    page_description: text(500).nullable(),
    page_done_url: text(2000).nullable(),
    page_cancel_url: text(2000).nullable(),
    page_keeps_card: yesOrNo().default(false),
    pledge_id: link().nullable(),
    // Postgres computes it.
    has_page: yesOrNo().nullable().serverSet(),
    processor_id: link(),
    payment_method: text(300).nullable(),
    amount_cents: cents(1),
    currency: text(3),
    status: oneOf(ATTEMPT_STATUSES).default('pending'),
    charge_asked_at: moment().nullable(),
    intent_id: text(200).nullable(),
    captured_cents: cents(1).nullable(),
    failure_code: text(100).nullable(),
    failure_message: text(500).nullable(),
    requested_by: link().nullable(),
    finished_at: moment().nullable(),
    checkout_session_id: text(200).nullable(),
    checkout_url: text(2000).nullable(),
    checkout_expires_at: moment().nullable(),
    checkout_keys: column(DataTypes.SMALLINT, z.int().min(0)).default(0),
    checkout_asked_at: moment().nullable(),
    checkout_looked_at: moment().nullable(),
    closing_since: moment().nullable(),
    closing_reason: oneOf(CLOSING_REASONS).nullable(),
    checkout_closed_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
  constraints: { attempts_one_live_per_remittance: remittanceErrors.remittance_in_progress },
}) {}
