import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** What a comparison with a provider's movements finds. */
export const DIFFERENCES = ['captured_not_recorded', 'recorded_not_captured', 'amount_differs', 'other'] as const;
export type Difference = (typeof DIFFERENCES)[number];
export const CASE_KINDS = [
  'refund_unknown',
  'dispute_unallocated',
  'remittance_flagged',
  'refund_bounced',
  'manual_refund_due',
  ...DIFFERENCES,
] as const;
export type CaseKind = (typeof CASE_KINDS)[number];
/** What somebody closes a case as. */
export const CASE_DECISIONS = ['allocated', 'corrected', 'accepted'] as const;
export const CASE_STATUSES = ['open', 'closed'] as const;

const signed = () => cents(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

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
        'refund_bounced: a refund came back; manual_refund_due: credit of a member who has left came by no charge; ' +
        'captured_not_recorded, recorded_not_captured: a charge that only the provider, or only our books, know to have taken money; amount_differs: ' +
        'both do, and what is left of it differs; other: something else moved on a charge of ours.',
    }),
    gateway_object: text(200).meta({
      description: 'The charge, as the provider calls it; a refund and a settlement by their ids here.',
    }),
    amount_cents: cents(1),
    recorded_cents: signed()
      .nullable()
      .meta({ description: 'Of a difference: what is left of the charge by our books.' }),
    reported_cents: signed().nullable().meta({ description: 'The same as the provider says.' }),
    moved_at: moment().nullable().meta({ description: 'Of a difference: when the charge moved.' }),
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
