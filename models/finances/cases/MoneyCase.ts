import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const CASE_KINDS = [
  'refund_unknown',
  'dispute_unallocated',
  'remittance_flagged',
  'refund_bounced',
  'manual_refund_due',
] as const;
export type CaseKind = (typeof CASE_KINDS)[number];
/** What somebody closes a case as. */
export const CASE_DECISIONS = ['allocated', 'corrected', 'accepted'] as const;
export const CASE_STATUSES = ['open', 'closed'] as const;

/** What our books and a provider's do not agree on before somebody decides, or the provider says more. */
export class MoneyCase extends defineModel({
  table: 'money_cases',
  columns: {
    ...tenantKeys,
    processor_id: link().as('processor').nullable(),
    capture_id: link().nullable().hidden(),
    remittance_id: link().as('remittance').nullable(),
    refund_id: link().as('refund').nullable(),
    settlement_id: link().as('settlement').nullable(),
    kind: oneOf(CASE_KINDS).meta({
      description:
        'refund_unknown: somebody gave a part of a charge of many back, and nobody has said of which invoices; dispute_unallocated: a bank took one back; remittance_flagged: a charge waits for its remittance to be resolved; ' +
        'refund_bounced: a refund came back; manual_refund_due: credit of a member who has left came by no charge.',
    }),
    gateway_object: text(200).meta({
      description: 'The charge, as the provider calls it; a refund and a settlement by their ids here.',
    }),
    amount_cents: cents(1),
    status: oneOf(CASE_STATUSES).default('open'),
    resolution: oneOf([...CASE_DECISIONS, 'agreed'] as const)
      .nullable()
      .meta({ description: 'agreed: both sides agree again by themselves.' }),
    note: text(2000).nullable(),
    closed_by: link().nullable(),
    closed_at: moment().nullable(),
    ...stamps,
  },
}) {}
