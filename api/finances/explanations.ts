import { z } from 'zod';
import { cents, day, moment } from '../../models/fields.js';

/** The address that explains an invoice. */
export const invoiceExplanation = (invoice: string): string => `/api/invoices/${invoice}/explain/`;

const hiddenCents = cents.nullable().meta({ description: 'Null where officers do not see amounts.' });

/** @param id of the schema. @param kinds of causes */
export const explanationJson = <Kind extends string>(id: string, kinds: readonly [Kind, ...Kind[]]) =>
  z
    .object({
      currency: z.string(),
      balance_cents: hiddenCents,
      entries: z
        .array(
          z.object({
            amount_cents: hiddenCents.meta({ description: 'How much the fact is about.' }),
            effect_cents: hiddenCents.meta({
              description: 'What it did to the balance; together they are the balance.',
            }),
            running_balance_cents: hiddenCents.meta({ description: 'After it. The last one is the balance.' }),
            at: moment,
            received_on: day.nullable().meta({ description: 'The day on which money by hand was received.' }),
            reason: z.string().nullable(),
            actor: z.object({ id: z.uuid(), name: z.string() }).nullable().meta({
              description: 'Who asked for it. Null: the platform’s clock, or the payment processor.',
            }),
            cause: z.object({
              kind: z.enum(kinds),
              id: z.uuid().meta({ description: 'The row that it comes from.' }),
              process: z.string().nullable().meta({ description: 'The durable process that did it.' }),
              gateway_object: z.string().nullable().meta({ description: 'The charge or refund at the processor.' }),
              gateway_event: z.string().nullable().meta({ description: 'The processor’s event that told of it.' }),
            }),
          }),
        )
        .meta({ description: 'The oldest first.' }),
    })
    .meta({ id });
