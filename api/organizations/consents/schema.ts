import { z } from 'zod';
import { moment, name } from '../../../models/fields.js';
import { CONSENT_METHODS } from '../../../models/organizations/vocabulary.js';

const shown = {
  template: z.uuid(),
  title: z.string(),
  method: z.enum(CONSENT_METHODS),
  version: z.int().meta({ description: 'The published one.' }),
  text_hash: z.string().meta({ description: 'SHA-256 of the title, an empty line and the body, in UTF-8.' }),
  published_at: moment,
  is_asked: z
    .boolean()
    .meta({ description: 'Of you, now. What you have given is shown when it is not asked any more, too.' }),
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
    consents: z.array(z.object(shown)),
    elsewhere: z
      .array(
        z.object({
          organization: z.object({ id: z.uuid(), name: z.string(), slug: z.string() }),
          due: z.int(),
        }),
      )
      .meta({ description: 'Your other organizations that wait for consents of yours, by name.' }),
  })
  .meta({ id: 'OwnConsents' });

export const OwnConsentJson = z
  .object({ ...shown, body_html: z.string().nullable(), body_text: z.string().nullable() })
  .meta({ id: 'OwnConsent' });

export const GiveConsent = z
  .object({
    version: z.int().min(1).max(2_147_483_647),
    text_hash: z.string().regex(/^[0-9a-f]{64}$/, 'Send the text_hash of what was read.'),
    typed_name: name(200).optional().meta({ description: 'Where the method is `typed_name`, and only there.' }),
  })
  .meta({ id: 'GiveConsent', example: { version: 1, text_hash: '0'.repeat(64), typed_name: 'Sam Lee' } });
