import { z } from 'zod';
import { moment, seenVersion } from '../../../models/fields.js';
import { ATTACHMENT_KINDS, STANDARD_FIELDS } from '../../../models/intake/pnm-config/vocabulary.js';
import { Contents } from '../../../models/intake/pnm-applications/contents.js';
import { STATUS_WORDS } from '../../../models/intake/pnm-applications/readStatus.js';
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
const token = z.string().meta({ description: 'Told once. Whoever has it acts as the applicant.' });

export const DraftMadeJson = z.object({ token, expires_in }).meta({ id: 'ApplicationDraftMade' });

const files = {
  attachments: z.array(z.enum(ATTACHMENT_KINDS)).meta({ description: 'The kinds of what was attached.' }),
  checking: z
    .array(z.enum(ATTACHMENT_KINDS))
    .meta({ description: 'Of these, what is being checked: nobody reads it before.' }),
  refused: z
    .array(z.enum(ATTACHMENT_KINDS))
    .meta({ description: 'What was refused as infected and is gone. Send another.' }),
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
  .meta({ id: 'ApplicationSubmitted', description: 'The same whatever the address is.' });

export const ApplicationStatusJson = z
  .object({
    status: z.enum(Object.keys(STATUS_WORDS) as [keyof typeof STATUS_WORDS]),
    says: z.string(),
    chapter: z.string(),
    submitted_at: moment,
    is_confirmed: z
      .boolean()
      .meta({ description: 'Whether the mailbox has answered. Before, what others do with it is not shown.' }),
    can_withdraw: z.boolean(),
    ...files,
    missing: z.array(z.enum(ATTACHMENT_KINDS)).meta({ description: 'Files that are asked for and have not come.' }),
    referees: z
      .array(z.object({ id: z.uuid(), name: z.string(), status: z.enum(LETTER_STATUSES) }))
      .meta({ description: 'Whom the applicant has named, and whether their letter came; never what it says.' }),
    letters_missing: z.int().meta({ description: 'Letters of reference that are asked for and have not come.' }),
  })
  .meta({ id: 'ApplicationStatus' });

export const WithdrawBody = z
  .strictObject({ erase: z.boolean().default(false).meta({ description: 'What was typed goes, too.' }) })
  .meta({ id: 'ApplicationWithdraw' });

export const AttachmentQuery = z.strictObject({ kind: z.enum(ATTACHMENT_KINDS) });

export const AttachedJson = z
  .object({
    kind: z.enum(ATTACHMENT_KINDS),
    name: z.string(),
    media_type: z.string(),
    size_bytes: z.int(),
    is_being_checked: z.boolean().meta({ description: 'Nobody reads it before it was checked.' }),
  })
  .meta({ id: 'ApplicationAttached' });
