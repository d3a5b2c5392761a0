import { z } from 'zod';
import { cents, day, moment } from '../../models/fields.js';

/** Returns the address that explains an invoice. */
export const invoiceExplanation = (invoice: string): string => `/api/invoices/${invoice}/explain/`;

const hiddenCents = cents.nullable().meta({ description: 'Null where officers do not see amounts.' });

/**
 * Returns the schema of an explanation.
 * @param id id of the schema
 * @param kinds kinds of causes
 */
export const explanationJson = <Kind extends string>(id: string, kinds: readonly [Kind, ...Kind[]]) =>
  z
    .object({
      currency: z.string(),
      balance_cents: hiddenCents,
      entries: z
        .array(
          z.object({
            amount_cents: hiddenCents.meta({ description: 'The amount of the entry.' }),
            effect_cents: hiddenCents.meta({
              description: 'Effect on the balance; all effects add up to the balance.',
            }),
            running_balance_cents: hiddenCents.meta({
              description: 'Balance after the entry; the last one is the current balance.',
            }),
            at: moment,
            received_on: day.nullable().meta({ description: 'The day on which a manual payment was received.' }),
            reason: z.string().nullable(),
            actor: z.object({ id: z.uuid(), name: z.string() }).nullable().meta({
              description:
                'The person who requested it. Null for a schedule of the platform, or for the payment processor.',
            }),
            cause: z.object({
              kind: z.enum(kinds),
              id: z.uuid().meta({ description: 'The row that the entry comes from.' }),
              process: z.string().nullable().meta({ description: 'The durable process that made the change.' }),
              gateway_object: z.string().nullable().meta({ description: 'The charge or refund at the processor.' }),
              gateway_event: z
                .string()
                .nullable()
                .meta({ description: 'The event of the processor that reported it.' }),
            }),
          }),
        )
        .meta({ description: 'The oldest first.' }),
    })
    .meta({ id });
