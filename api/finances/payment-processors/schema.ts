import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { OrgPaymentProcessor, PROVIDERS } from '../../../models/finances/payment-processors/OrgPaymentProcessor.js';
import { CAPABILITIES } from '../../../models/finances/payment-processors/providers.js';
import { name, seenVersion } from '../../../models/fields.js';

const secret = z
  .string()
  .regex(/^[\x21-\x7e]{12,300}$/, 'Must be 12 to 300 characters without spaces.')
  .meta({ writeOnly: true, description: 'Stored encrypted. Never returned, logged or shown again.' });

const settings = z.record(z.string().max(50), z.string().trim().min(1).max(300)).meta({
  writeOnly: true,
  description: 'Further credentials that the provider requires. Stored encrypted, like the secret key.',
});

const text = (length: number) => z.string().trim().min(1).max(length);

export const ProcessorJson = rowJson(OrgPaymentProcessor)
  .extend({
    secret_key_last4: z.string().nullable().meta({ description: 'Last four characters, to recognize the key.' }),
    webhook_secret_last4: z.string().nullable(),
    capabilities: z
      .array(z.enum(CAPABILITIES))
      .meta({ description: 'Operations that the platform supports with this provider.' }),
    webhook_url: z.url().meta({ description: 'Address to which the provider sends its events.' }),
  })
  .meta({ id: 'PaymentProcessor' });

export const ProcessorVerification = z
  .object({
    valid: z.boolean(),
    gateway_account_id: z.string().nullable().meta({ description: 'Account of the credentials.' }),
    problem: z
      .object({ field: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'The credential that must be replaced, and the reason.' }),
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
      description: 'Ends the previous webhook secret at once. If left out, it stays valid for 24 hours.',
    }),
    version: seenVersion,
  })
  .refine((sent) => (sent.secret_key ?? sent.credentials ?? sent.webhook_secret) !== undefined || sent.retire_now, {
    path: ['secret_key'],
    message: 'Send secret_key, credentials or webhook_secret, or retire_now.',
  })
  .meta({ id: 'PaymentProcessorRotate' });
