/** SQL: joins payment `p` with its charge `k`. A payment made by hand has no charge, so `k` is null. */
export const CAPTURE_JOIN = `LEFT JOIN processor_captures k ON k.organization_id = p.organization_id AND k.processor_id = p.processor_id
  AND k.intent_id = p.intent_id`;

/**
 * SQL: the refundable payments of an invoice with their charges and refundable cents, without the parts that became
 * credit. @param organization SQL of the organization's id @param invoice SQL of the invoice's id
 */
export const refundablePaymentsSql = (organization: string, invoice: string): string =>
  `SELECT * FROM (
     SELECT p.id AS "paymentId", k.id AS "captureId", greatest(0, least(app.refundable_of_payment(p.organization_id, p.id),
              app.refundable_of_capture(p.organization_id, k.id))) AS cents
       FROM payment_records p ${CAPTURE_JOIN}
      WHERE p.organization_id = ${organization} AND p.invoice_id = ${invoice} AND p.status = 'succeeded') payments
    WHERE cents > 0`;

/** SQL: whether a refund of an invoice is pending. */
export const isBeingRefundedSql = (organization: string, invoice: string): string =>
  `EXISTS (SELECT FROM refunds r WHERE r.organization_id = ${organization} AND r.invoice_id = ${invoice} AND r.finished_at IS NULL)`;
