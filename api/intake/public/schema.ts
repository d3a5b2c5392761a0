import { z } from 'zod';
import { moment, seenVersion } from '../../../models/fields.js';
import { ATTACHMENT_KINDS, STANDARD_FIELDS } from '../../../models/intake/pnm-config/vocabulary.js';
import { Contents } from '../../../models/intake/pnm-applications/contents.js';
import { STATUS_TEXTS } from '../../../models/intake/pnm-applications/readStatus.js';
import { LETTER_STATUSES } from '../../../models/intake/vocabulary.js';
import { CONSENT_METHODS } from '../../../models/organizations/vocabulary.js';

export const SlugParams = z.object({ slug: z.string().max(63) });
export const TokenParams = z.object({ slug: z.string().max(63), token: z.string().min(1).max(200) });
export const TokenBody = z.object({ token: z.string().min(1).max(200) });

export const FormJson = z
  .object({
    organization: z.object({ name: z.string(), slug: z.string() }),
    period: z.string(),
    opens_at: moment,
    closes_at: moment,
    is_open: z.boolean(),
    closed_message: z.string().nullable(),
    introduction: z.string().nullable(),
    confirmation: z.string().nullable(),
    required_fields: z.array(z.enum(STANDARD_FIELDS)),
    attachments: z.array(z.object({ kind: z.enum(ATTACHMENT_KINDS), is_required: z.boolean() })),
    reference_letters: z.int(),
    gpa_scale: z.number(),
    verify_email: z.boolean(),
  })
  .meta({ id: 'ApplicationForm' });

export const FormChapterJson = z
  .object({
    id: z.uuid(),
    name: z.string(),
    designation: z.string().nullable(),
    university: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
  })
  .meta({ id: 'FormChapter' });

export const FormConsentJson = z
  .object({
    template: z.uuid(),
    title: z.string(),
    method: z.enum(CONSENT_METHODS),
    body_html: z.string().nullable(),
    body_text: z.string().nullable(),
    version: z.int(),
    text_hash: z.string(),
  })
  .meta({ id: 'FormConsent' });

const expires_in = z.int().meta({ description: 'Seconds.' });
const token = z.string().meta({ description: 'Returned only once. Anyone who has it can act as the applicant.' });

export const DraftMadeJson = z.object({ token, expires_in }).meta({ id: 'ApplicationDraftMade' });

const files = {
  attachments: z.array(z.enum(ATTACHMENT_KINDS)).meta({ description: 'Kinds of the attached files.' }),
  checking: z
    .array(z.enum(ATTACHMENT_KINDS))
    .meta({ description: 'Kinds of attached files that are still being checked.' }),
  refused: z
    .array(z.enum(ATTACHMENT_KINDS))
    .meta({ description: 'Kinds of files that were infected and deleted. Send another file.' }),
};

export const DraftJson = z
  .object({
    contents: Contents,
    expires_at: moment,
    is_sent: z.boolean(),
    ...files,
    version: z.int(),
  })
  .meta({ id: 'ApplicationDraft' });

export const DraftBody = z.strictObject({ contents: Contents }).meta({ id: 'ApplicationDraftCreate' });
export const DraftPut = z
  .strictObject({ contents: Contents, version: seenVersion })
  .meta({ id: 'ApplicationDraftPut' });

export const SubmittedJson = z
  .object({
    token,
    status: z.enum(['unconfirmed', 'received']),
    says: z.string(),
    confirmation: z.string().nullable(),
  })
  .meta({ id: 'ApplicationSubmitted', description: 'Does not depend on the email address.' });

export const ApplicationStatusJson = z
  .object({
    status: z.enum(Object.keys(STATUS_TEXTS) as [keyof typeof STATUS_TEXTS]),
    says: z.string(),
    chapter: z.string(),
    submitted_at: moment,
    is_confirmed: z.boolean().meta({
      description: 'Whether the email address is confirmed. Before that, the progress of the application is not shown.',
    }),
    can_withdraw: z.boolean(),
    ...files,
    missing: z.array(z.enum(ATTACHMENT_KINDS)).meta({ description: 'Kinds of required files that are missing.' }),
    referees: z
      .array(z.object({ id: z.uuid(), name: z.string(), status: z.enum(LETTER_STATUSES) }))
      .meta({ description: 'Referees named by the applicant, and the status of their letters; never their contents.' }),
    letters_missing: z.int().meta({ description: 'Number of required letters of reference that are missing.' }),
  })
  .meta({ id: 'ApplicationStatus' });

export const WithdrawBody = z
  .strictObject({ erase: z.boolean().default(false).meta({ description: 'Also deletes everything that was typed.' }) })
  .meta({ id: 'ApplicationWithdraw' });

export const AttachmentQuery = z.strictObject({ kind: z.enum(ATTACHMENT_KINDS) });

export const AttachedJson = z
  .object({
    kind: z.enum(ATTACHMENT_KINDS),
    name: z.string(),
    media_type: z.string(),
    size_bytes: z.int(),
    is_being_checked: z.boolean().meta({ description: 'The file cannot be downloaded before it is checked.' }),
  })
  .meta({ id: 'ApplicationAttached' });
