import { z } from 'zod';
import { moment, name } from '../../../models/fields.js';
import { CONSENT_METHODS } from '../../../models/organizations/vocabulary.js';

const consentFields = {
  template: z.uuid(),
  title: z.string(),
  method: z.enum(CONSENT_METHODS),
  version: z.int().meta({ description: 'The published version.' }),
  text_hash: z.string().meta({ description: 'SHA-256 of the title, an empty line and the body, in UTF-8.' }),
  published_at: moment,
  is_asked: z.boolean().meta({
    description:
      'Whether you are asked for it now. Consents that you gave are listed even if they are no longer asked for.',
  }),
  is_due: z.boolean(),
  given: z
    .object({
      version: z.int(),
      text_hash: z.string(),
      typed_name: z.string().nullable(),
      given_at: moment,
    })
    .nullable(),
  withdrawn_at: moment.nullable(),
};

export const OwnConsentsJson = z
  .object({
    consents: z.array(z.object(consentFields)),
    elsewhere: z
      .array(
        z.object({
          organization: z.object({ id: z.uuid(), name: z.string(), slug: z.string() }),
          due: z.int(),
        }),
      )
      .meta({ description: 'Your other organizations with due consents, by name.' }),
  })
  .meta({ id: 'OwnConsents' });

export const OwnConsentJson = z
  .object({ ...consentFields, body_html: z.string().nullable(), body_text: z.string().nullable() })
  .meta({ id: 'OwnConsent' });

export const GiveConsent = z
  .object({
    version: z.int().min(1).max(2_147_483_647),
    text_hash: z.string().regex(/^[0-9a-f]{64}$/, 'Send the text_hash of the text that was read.'),
    typed_name: name(200)
      .optional()
      .meta({ description: 'Required for the method `typed_name`; not allowed otherwise.' }),
  })
  .meta({ id: 'GiveConsent', example: { version: 1, text_hash: '0'.repeat(64), typed_name: 'Sam Lee' } });
