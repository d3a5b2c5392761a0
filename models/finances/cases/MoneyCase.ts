import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const CASE_KINDS = ['refund_unknown', 'dispute_unallocated'] as const;
export const CASE_STATUSES = ['open', 'closed'] as const;

/** What our books and a provider's do not agree on before somebody decides, or the provider says more. */
export class MoneyCase extends defineModel({
  table: 'money_cases',
  columns: {
    ...tenantKeys,
    processor_id: link().as('processor'),
    capture_id: link().hidden(),
    kind: oneOf(CASE_KINDS).meta({
      description:
        'refund_unknown: somebody gave a part of a charge of many back, and nobody has said of which invoices; dispute_unallocated: a bank took one back.',
    }),
    gateway_object: text(200).meta({ description: 'What the provider calls it: here the charge.' }),
    amount_cents: cents(1),
    status: oneOf(CASE_STATUSES).default('open'),
    resolution: oneOf(['allocated', 'agreed'] as const)
      .nullable()
      .meta({ description: 'agreed: both sides agree again by themselves.' }),
    note: text(2000).nullable(),
    closed_by: link().nullable(),
    closed_at: moment().nullable(),
    ...stamps,
  },
}) {}
