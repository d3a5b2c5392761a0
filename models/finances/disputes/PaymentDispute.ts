import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/**
 * open: the bank has not decided. won: the money was returned or never taken. lost: the money is gone. A won dispute
 * can be lost later.
 */
export const DISPUTE_STATUSES = ['open', 'won', 'lost'] as const;

/** A payment that its payer disputed with the bank. Its amounts and status derive from its movements. */
export class PaymentDispute extends defineModel({
  table: 'payment_disputes',
  columns: {
    ...tenantKeys,
    capture_id: link().hidden(),
    gateway_dispute_id: text(200),
    amount_cents: cents(1),
    currency: text(3),
    reason: text(100),
    decision: oneOf(['none', 'won', 'lost']).hidden(),
    evidence_due_at: moment().nullable(),
    read_at: moment().hidden(),
    reminded_for: moment().nullable().hidden(),
    opened_at: moment(),
    withdrawn_cents: cents(0).default(0),
    reinstated_cents: cents(0).default(0),
    fee_cents: cents(Number.MIN_SAFE_INTEGER).default(0),
    status: oneOf(DISPUTE_STATUSES),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
