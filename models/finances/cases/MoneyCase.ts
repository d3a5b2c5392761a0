import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/** Kinds of differences that a comparison with a provider's records finds. */
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
/** Decisions with which an administrator closes a case. */
export const CASE_DECISIONS = ['allocated', 'corrected', 'accepted'] as const;
export const CASE_STATUSES = ['open', 'closed'] as const;

const signedCents = () => cents(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/**
 * A discrepancy between our books and a provider's. It closes when an administrator decides, or when both agree again.
 */
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
        'refund_unknown: a part of a charge for several invoices was refunded outside this platform and is not allocated to invoices; dispute_unallocated: a bank took such a part back; remittance_flagged: a charge waits until its remittance is resolved; ' +
        'refund_bounced: a refund came back; manual_refund_due: a former member has credit that came from no charge; ' +
        'captured_not_recorded, recorded_not_captured: only the provider, or only our books, have captured money for a charge; amount_differs: ' +
        'both have it, and the remaining amounts differ; other: another movement on one of our charges.',
    }),
    gateway_object: text(200).meta({
      description: 'The provider’s id of the charge; for a refund or a settlement, its id here.',
    }),
    amount_cents: cents(1),
    recorded_cents: signedCents()
      .nullable()
      .meta({ description: 'For a difference: the remaining amount of the charge in our books.' }),
    reported_cents: signedCents()
      .nullable()
      .meta({ description: 'For a difference: the remaining amount according to the provider.' }),
    moved_at: moment().nullable().meta({ description: 'For a difference: when the charge changed.' }),
    status: oneOf(CASE_STATUSES).default('open'),
    resolution: oneOf([...CASE_DECISIONS, 'agreed'] as const)
      .nullable()
      .meta({ description: 'agreed: both sides agree again without a decision.' }),
    note: text(2000).nullable(),
    closed_by: link().nullable(),
    closed_at: moment().nullable(),
    ...stamps,
  },
}) {}
