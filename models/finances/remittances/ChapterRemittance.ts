import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const FLAG_REASONS = ['allocation_stale', 'amount_mismatch', 'settlement_failed', 'second_capture'] as const;
export type FlagReason = (typeof FLAG_REASONS)[number];

/**
 * One charge that pays many invoices of a chapter's members. Its total is the sum of its allocations; its status
 * derives from the other columns and its attempts.
 */
export class ChapterRemittance extends defineModel({
  table: 'chapter_remittances',
  columns: {
    ...tenantKeys,
    chapter_id: link(),
    created_by: link(),
    currency: text(3).default('usd'),
    total_cents: cents(1),
    processor_payment_id: text(200).nullable(),
    settled_at: moment().nullable(),
    reconciliation_flagged_at: moment().nullable(),
    reconciliation_amount_cents: cents(0).nullable(),
    reconciliation_reason: oneOf(FLAG_REASONS).nullable(),
    reconciliation_note: text(2000).nullable(),
    resolved_at: moment().nullable(),
    resolved_by: link().nullable(),
    ...stamps,
  },
}) {}
