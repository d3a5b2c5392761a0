import { cents, link, moment, oneOf, stamps, tenantKeys, text } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { loadIfThere } from '../../database/model/read.js';

/** recorded: somebody was credited. flagged: it waits for an officer or an administrator. resolved: it was dealt with. */
const DISPOSITIONS = ['recorded', 'flagged', 'resolved'] as const;

/** Money that a processor says it took: written once per charge, by whoever learns of it first. */
export class ProcessorCapture extends defineModel({
  table: 'processor_captures',
  columns: {
    ...tenantKeys,
    processor_id: link(),
    intent_id: text(200),
    remittance_id: link().nullable(),
    invoice_id: link().nullable(),
    amount_cents: cents(1),
    currency: text(3).nullable(),
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

/** What is on record of a charge's money, or null. */
export const captureOf = (processorId: string, intentId: string): Promise<ProcessorCapture | null> =>
  loadIfThere(ProcessorCapture, { processor_id: processorId, intent_id: intentId });
