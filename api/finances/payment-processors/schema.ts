import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { OrgPaymentProcessor, PROVIDERS } from '../../../models/finances/payment-processors/OrgPaymentProcessor.js';
import { CAPABILITIES } from '../../../models/finances/payment-processors/providers.js';
import { name, seenVersion } from '../../../models/fields.js';

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{12,300}$/, 'Must be 12 to 300 characters without spaces.')
  .meta({ writeOnly: true, description: 'Kept encrypted. Never answered, logged or shown again.' });

const settings = z
  .record(z.string().max(50), z.string().trim().min(1).max(300))
  .meta({ writeOnly: true, description: 'What the provider wants beside its secret key. Kept encrypted, like that.' });

const text = (length: number) => z.string().trim().min(1).max(length);

export const ProcessorJson = rowJson(OrgPaymentProcessor)
  .extend({
    secret_key_last4: z.string().nullable().meta({ description: 'To recognize the key by.' }),
    webhook_secret_last4: z.string().nullable(),
    capabilities: z.array(z.enum(CAPABILITIES)).meta({ description: 'What can be done with this provider here.' }),
    webhook_url: z.url().meta({ description: "Where the provider's events are to be sent." }),
  })
  .meta({ id: 'PaymentProcessor' });

export const ProcessorVerification = z
  .object({
    valid: z.boolean(),
    gateway_account_id: z.string().nullable().meta({ description: 'Whose account they open.' }),
    problem: z
      .object({ field: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Which of the credentials is to be replaced, and why.' }),
  })
  .meta({ id: 'PaymentProcessorVerification' });

export const ProcessorConnect = z
  .strictObject({
    provider: z.enum(PROVIDERS),
    label: name(100),
    publishable_key: text(300).optional(),
    secret_key: secret,
    credentials: settings.optional(),
    webhook_secret: secret,
    account_reference: text(200).optional(),
  })
  .meta({ id: 'PaymentProcessorConnect' });

export const ProcessorRotate = z
  .strictObject({
    secret_key: secret.optional(),
    credentials: settings.optional(),
    webhook_secret: secret.optional(),
    retire_now: z.boolean().optional().meta({
      description:
        'Ends the webhook secret that is replaced, or was last, at once. Left out, it is valid for 24 hours.',
    }),
    version: seenVersion,
  })
  .refine((sent) => (sent.secret_key ?? sent.credentials ?? sent.webhook_secret) !== undefined || sent.retire_now, {
    path: ['secret_key'],
    message: 'Send secret_key, credentials or webhook_secret, or retire_now.',
  })
  .meta({ id: 'PaymentProcessorRotate' });
