import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { loadIfExists } from '../../database/model/read.js';

/** recorded: invoices were credited. flagged: an officer or an administrator must decide. resolved: it was decided. */
const DISPOSITIONS = ['recorded', 'flagged', 'resolved'] as const;

/** Money that a processor captured. The row is written once per charge, by the first process that learns of it. */
export class ProcessorCapture extends defineModel({
  table: 'processor_captures',
  columns: {
    ...tenantKeys,
    processor_id: link(),
    intent_id: text(200),
    remittance_id: link().nullable(),
    invoice_id: link().nullable(),
    donation_id: link().nullable(),
    amount_cents: cents(1),
    currency: text(3).nullable(),
    captured_at: moment().nullable(),
    refunded_cents: cents(0).default(0),
    refund_failed_cents: cents(0).default(0),
    withdrawn_cents: cents(0).default(0),
    disputed_cents: cents(0).default(0),
    refunds_read_at: moment().nullable(),
    disposition: oneOf(DISPOSITIONS),
    created_at: stamps.created_at,
    updated_at: stamps.updated_at,
  },
}) {}

/** Finds the capture of a charge, or null. */
export const findCapture = (processorId: string, intentId: string): Promise<ProcessorCapture | null> =>
  loadIfExists(ProcessorCapture, { processor_id: processorId, intent_id: intentId });
