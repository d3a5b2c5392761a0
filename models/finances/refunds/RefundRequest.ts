import { audit } from '../../database/audit.js';
import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { financesErrors } from '../errors.js';

export const REFUND_REQUEST_STATUSES = ['pending', 'approved', 'refused', 'withdrawn', 'expired'] as const;

/** What an officer asks an administrator to give back. Nothing is reserved for it. */
export class RefundRequest extends defineModel({
  table: 'refund_requests',
  columns: {
    ...tenantKeys,
    invoice_id: link().as('invoice'),
    payment_record_id: link().as('payment').nullable(),
    amount_cents: cents(1).nullable().meta({ description: 'Null: all that can be given back when it is approved.' }),
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

/** The log says what became of a request, and nothing that was typed. */
export const auditRequest = ({ id, invoice_id, status }: RefundRequest, verb: string): Promise<void> =>
  audit({
    action: `refund_request.${verb}`,
    subjectType: 'refund_request',
    subjectId: id,
    after: { status, invoice_id },
  });
