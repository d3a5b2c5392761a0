import { cents, link, moment, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

/**
 * A discount that an administrator granted on an invoice, until it is voided. A discount is never money and never
 * becomes credit.
 */
export class InvoiceDiscount extends defineModel({
  table: 'invoice_discounts',
  columns: {
    ...tenantKeys,
    invoice_id: link().as('invoice'),
    amount_cents: cents(1),
    category: text(50).default('other'),
    reason: text(500),
    notes: text(2000).nullable(),
    granted_by: link().nullable(),
    voided_at: moment().nullable(),
    voided_by: link().nullable(),
    void_reason: text(500).nullable(),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}
