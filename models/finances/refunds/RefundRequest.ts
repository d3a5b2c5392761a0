import { audit } from '../../database/audit.js';
import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { financesErrors } from '../errors.js';

export const REFUND_REQUEST_STATUSES = ['pending', 'approved', 'refused', 'withdrawn', 'expired'] as const;

/** An officer's request to refund a payment. It reserves nothing. */
export class RefundRequest extends defineModel({
  table: 'refund_requests',
  columns: {
    ...tenantKeys,
    invoice_id: link().as('invoice'),
    payment_record_id: link().as('payment').nullable(),
    amount_cents: cents(1).nullable().meta({ description: 'Null: all that is refundable at the time of approval.' }),
    reason: text(500),
    reference: text(200).nullable(),
    status: oneOf(REFUND_REQUEST_STATUSES).default('pending'),
    requested_by: link(),
    reviewed_by: link().nullable(),
    reviewed_at: moment().nullable(),
    review_notes: text(2000).nullable(),
    closed_at: moment().nullable(),
    reminded_at: moment().nullable().hidden(),
    ...stamps,
  },
  constraints: { refund_requests_one_pending: financesErrors.refund_request_pending },
}) {}

/** Writes the state of a request to the audit log, without any text that a person typed. */
export const auditRefundRequest = ({ id, invoice_id, status }: RefundRequest, verb: string): Promise<void> =>
  audit({
    action: `refund_request.${verb}`,
    subjectType: 'refund_request',
    subjectId: id,
    after: { status, invoice_id },
  });
