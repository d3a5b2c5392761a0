import { z } from 'zod';
import { DISPUTE_STATUSES } from '../../../models/finances/disputes/PaymentDispute.js';
import { cents, moment } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';

export const DisputeFilters = z.object({ ...pageQuery, status: z.enum(DISPUTE_STATUSES).optional() });

const DisputeMovementJson = z
  .object({
    kind: z.enum(['withdrawn', 'reinstated', 'fee']),
    amount_cents: z.int().meta({ description: 'Negative for a fee that the provider returned.' }),
    gateway_movement_id: z.string(),
    moved_at: moment,
  })
  .meta({ id: 'PaymentDisputeMovement' });

export const DisputeJson = z
  .object({
    id: z.uuid(),
    processor: z.uuid(),
    gateway_dispute_id: z.string().meta({ description: 'Id at the provider, where evidence is submitted.' }),
    processor_payment_id: z.string().meta({ description: "The charge's id at the provider." }),
    remittance: z.uuid().nullable(),
    invoices: z.array(z.uuid()).meta({ description: 'Invoices that the charge paid.' }),
    amount_cents: cents,
    currency: z.string(),
    reason: z.string().meta({ description: 'The reason as the provider names it.' }),
    status: z.enum(DISPUTE_STATUSES).meta({
      description: 'Follows from the movements and the decision of the bank. A dispute that was won can be lost later.',
    }),
    evidence_due_at: moment
      .nullable()
      .meta({ description: 'Deadline for evidence, which is submitted at the provider.' }),
    withdrawn_cents: cents,
    reinstated_cents: cents,
    fee_cents: z
      .int()
      .meta({ description: 'The fee of the provider: a cost of the organization, not a debt of a payer.' }),
    unallocated_cents: cents.meta({
      description: 'The withdrawn part of the charge that no invoice or credit accounts for; it is an open money case.',
    }),
    money_case: z.uuid().nullable().meta({ description: 'The open money case.' }),
    movements: z.array(DisputeMovementJson).meta({ description: 'The oldest first.' }),
    opened_at: moment,
  })
  .meta({ id: 'PaymentDispute', description: 'A payment that its payer disputes at the bank (chargeback).' });
