import { cents, link, moment, oneOf, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const REFUND_STATUSES = ['reserved', 'processing', 'succeeded', 'failed'] as const;

/** A refund of one payment, through its charge or by hand. */
export class Refund extends defineModel({
  table: 'refunds',
  columns: {
    ...tenantKeys,
    invoice_id: link().as('invoice'),
    payment_record_id: link().as('payment'),
    capture_id: link().nullable().hidden(),
    request_id: link().as('request').nullable(),
    amount_cents: cents(1),
    status: oneOf(REFUND_STATUSES).meta({
      description:
        'processing: the provider has accepted the request and may take days; failed: the money was not refunded, or came back.',
    }),
    of_credit: yesOrNo()
      .default(false)
      .meta({ description: 'If true, the credit from this payment is refunded and the invoice does not change.' }),
    credit_membership_id: link().nullable().hidden(),
    waives: yesOrNo().default(false),
    waiver_id: link().nullable().hidden(),
    reason: text(500),
    reference: text(200).nullable(),
    gateway_refund_id: text(200).nullable(),
    failure_code: text(100).nullable(),
    requested_by: link(),
    sent_at: moment().nullable().hidden(),
    finished_at: moment().nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
