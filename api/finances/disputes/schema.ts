import { z } from 'zod';
import { DISPUTE_STATUSES } from '../../../models/finances/disputes/PaymentDispute.js';
import { cents, moment } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';

export const DisputeFilters = z.object({ ...pageQuery, status: z.enum(DISPUTE_STATUSES).optional() });

const DisputeMovementJson = z
  .object({
    kind: z.enum(['withdrawn', 'reinstated', 'fee']),
    amount_cents: z.int().meta({ description: 'Of a fee below zero where the provider gave it back.' }),
    gateway_movement_id: z.string(),
    moved_at: moment,
  })
  .meta({ id: 'PaymentDisputeMovement' });

export const DisputeJson = z
  .object({
    id: z.uuid(),
    processor: z.uuid(),
    gateway_dispute_id: z.string().meta({ description: 'Where evidence is sent: at the provider.' }),
    processor_payment_id: z.string().meta({ description: "The charge's id at the provider." }),
    remittance: z.uuid().nullable(),
    invoices: z.array(z.uuid()).meta({ description: 'Those that the charge paid.' }),
    amount_cents: cents,
    currency: z.string(),
    reason: z.string().meta({ description: 'As the provider calls it.' }),
    status: z.enum(DISPUTE_STATUSES).meta({
      description: 'It follows from the movements and the decision of the bank: one that was won can be lost later.',
    }),
    evidence_due_at: moment.nullable().meta({ description: 'Until then evidence counts. It goes to the provider.' }),
    withdrawn_cents: cents,
    reinstated_cents: cents,
    fee_cents: z.int().meta({ description: "What the provider asks for it: the organization's, and no payer's debt." }),
    unallocated_cents: cents.meta({
      description: 'What of this charge is gone and no invoice or credit was charged with: it waits for you as a case.',
    }),
    money_case: z.uuid().nullable().meta({ description: 'The case that waits.' }),
    movements: z.array(DisputeMovementJson).meta({ description: 'The oldest first.' }),
    opened_at: moment,
  })
  .meta({ id: 'PaymentDispute', description: 'A payment that its payer wants back from the bank.' });
