import { z } from 'zod';
import { PROVIDERS } from '../../../models/finances/payment-processors/processor.js';
import { moment, seenVersion, version } from '../../../models/fields.js';

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{12,300}$/, 'Must be 12 to 300 characters without spaces.')
  .meta({ writeOnly: true, description: 'Kept encrypted. Never answered, logged or shown again.' });

const text = (length: number) => z.string().trim().min(1).max(length);

export const ProcessorJson = z
  .object({
    id: z.uuid(),
    provider: z.enum(PROVIDERS),
    label: z.string(),
    account_reference: z.string().nullable(),
    publishable_key: z.string().nullable(),
    gateway_account_id: z
      .string()
      .nullable()
      .meta({ description: "The provider's own id of the account. Null: it is learned at the next rotation." }),
    is_active: z.boolean(),
    has_work_under_way: z
      .boolean()
      .meta({ description: 'A charge or unmatched money needs the key still: it can be rotated, disabled or not.' }),
    secret_key_last4: z.string().nullable().meta({ description: 'To recognize the key by.' }),
    webhook_secret_last4: z.string().nullable(),
    accepts_previous_webhook_secret: z
      .boolean()
      .meta({ description: 'The webhook secret before the last rotation is valid too.' }),
    previous_webhook_secret_expires_at: moment.nullable().meta({ description: 'When it ends.' }),
    webhook_url: z.url().meta({ description: "Where the provider's events are to be sent." }),
    disabled_at: moment.nullable(),
    version,
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'PaymentProcessor' });

export const ProcessorConnect = z
  .strictObject({
    provider: z.enum(PROVIDERS),
    label: text(100),
    publishable_key: text(300).optional(),
    secret_key: secret,
    webhook_secret: secret,
    account_reference: text(200).optional(),
  })
  .meta({ id: 'PaymentProcessorConnect' });

export const ProcessorRotate = z
  .strictObject({
    secret_key: secret.optional(),
    webhook_secret: secret.optional(),
    retire_now: z.boolean().optional().meta({
      description:
        'Ends the webhook secret that is replaced, or was last, at once. Left out, it is valid for 24 hours.',
    }),
    version: seenVersion,
  })
  .refine(({ secret_key, webhook_secret, retire_now }) => (secret_key ?? webhook_secret) !== undefined || retire_now, {
    path: ['secret_key'],
    message: 'Send secret_key, webhook_secret or both, or retire_now.',
  })
  .meta({ id: 'PaymentProcessorRotate' });
