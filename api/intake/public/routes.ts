import { createHash } from 'node:crypto';
import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { newToken } from '../../../models/identity/secretTokens.js';
import { Question } from '../../../models/intake/pnm-config/ApplicationConfig.js';
import { readApplicationConfig } from '../../../models/intake/pnm-config/config.js';
import { confirmApplication } from '../../../models/intake/pnm-applications/confirmApplication.js';
import { neededFields } from '../../../models/intake/pnm-applications/checkContents.js';
import { Contents } from '../../../models/intake/pnm-applications/contents.js';
import {
  createDraft,
  DRAFT_SECONDS,
  keepDraft,
  readDraft,
  sendDraftLink,
  submitDraft,
} from '../../../models/intake/pnm-applications/drafts.js';
import { askedConsents, formChapters, formPeriod } from '../../../models/intake/pnm-applications/publicForm.js';
import { readStatus, SHUT_WORDS, STATUS_WORDS } from '../../../models/intake/pnm-applications/readStatus.js';
import { type Submitted, submitApplication } from '../../../models/intake/pnm-applications/submitApplication.js';
import { withdrawApplication } from '../../../models/intake/pnm-applications/withdrawApplication.js';
import { nameReferee } from '../../../models/intake/reference-letters/referees.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { ofApplication, ofDraft } from '../../../models/intake/pnm-applications/attachments.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { get, post, put, type RequestFacts, routes } from '../../http/routes.js';
import { UploadForm } from '../../organizations/files/schema.js';
import { NamedReferee } from '../reference-letters/schema.js';
import { takeAttachment } from './takeFromStranger.js';
import { accepting, reading, writing } from './inForm.js';
import { spendingAccepted, spendingOnTarget } from '../../http/throttles/spend.js';
import {
  ApplicationStatusJson,
  AttachedJson,
  AttachmentQuery,
  DraftBody,
  DraftJson,
  DraftMadeJson,
  DraftPut,
  FormChapterJson,
  FormConsentJson,
  FormJson,
  SlugParams,
  SubmittedJson,
  TokenBody,
  TokenParams,
  WithdrawBody,
} from './schema.js';

const { intake_closed, application_closed, application_sent, application_link_invalid, gpa_below_minimum } =
  intakeErrors;
const { letter_requested, referees_complete, application_unconfirmed } = intakeErrors;
const publicly = { access: 'public', tags: ['intake'], params: SlugParams } as const;
const withToken = { ...publicly, params: TokenParams } as const;
/** Reading a form, and keeping what is typed in it: often, and by many who share an address. */
const typing = { throttle: ['pnm_form'] } as const;
const submits = {
  throttle: ['public_form', 'pnm_submit_ip', 'pnm_submit_email'],
  response: SubmittedJson,
  status: 202,
} as const;
const refusals = [intake_closed, application_closed, gpa_below_minimum];

const KINDS =
  'PDF, DOCX, JPEG, PNG or WebP by its content, up to 10 MB; a headshot up to 5 MB, which is drawn anew. One of each kind: the next takes its place.';
const attaches = {
  ...withToken,
  throttle: ['pnm_attachment'],
  query: AttachmentQuery,
  upload: UploadForm,
  response: AttachedJson,
  status: 201,
} as const;
const fileRefusals = [fileErrors.storage_unavailable, refuse.body_too_large];

/** Counts an application for the network, and for the digest of its address. */
const spendOnApplication = (request: RequestFacts) => (email: string) => [
  spendingAccepted(request, 'pnm_submit_ip'),
  spendingOnTarget('pnm_submit_email', createHash('sha256').update(email).digest('hex')),
];

const submitted = (token: string, status: Submitted['status'], confirmation: string | null) => ({
  token,
  status,
  says: status === 'received' ? SHUT_WORDS : STATUS_WORDS[status],
  confirmation,
});

export const publicApplicationRoutes = routes('/api/pnm/public/:slug', [
  get(
    '/',
    {
      ...publicly,
      ...typing,
      summary: 'An organization’s form for applicants',
      description: 'Closed, it says so. An organization that takes no applications is not there.',
      operationId: 'getApplicationForm',
      response: FormJson,
    },
    ({ params }) =>
      reading(params.slug, async ({ name, slug }) => {
        const { name: period, ...times } = await formPeriod();
        const config = await readApplicationConfig();
        const { introduction, confirmation, attachments, reference_letters, gpa_scale, verify_email } = config;
        return {
          organization: { name, slug },
          period,
          opens_at: times.opens_at,
          closes_at: times.closes_at,
          is_open: times.is_open,
          closed_message: times.closed_message,
          introduction,
          confirmation,
          required_fields: neededFields(config),
          attachments,
          reference_letters,
          gpa_scale,
          verify_email,
        };
      }),
  ),

  get(
    '/chapters/',
    {
      ...publicly,
      ...typing,
      summary: 'Chapters to which one may apply, by name',
      operationId: 'listFormChapters',
      response: z.array(FormChapterJson),
    },
    ({ params }) =>
      reading(params.slug, async () => {
        await formPeriod();
        return formChapters();
      }),
  ),

  get(
    '/questions/',
    {
      ...publicly,
      ...typing,
      summary: 'What the form asks, in its order',
      operationId: 'listFormQuestions',
      response: z.array(Question),
    },
    ({ params }) =>
      reading(params.slug, async () => {
        await formPeriod();
        const { questions } = await readApplicationConfig();
        return questions.filter(({ is_archived }) => !is_archived);
      }),
  ),

  get(
    '/consents/',
    {
      ...publicly,
      ...typing,
      summary: 'What applicants have to agree to',
      operationId: 'listFormConsents',
      response: z.array(FormConsentJson),
    },
    ({ params }) =>
      reading(params.slug, async () => {
        await formPeriod();
        return askedConsents();
      }),
  ),

  post(
    '/drafts/',
    {
      ...publicly,
      summary: 'Begin an application',
      description: 'The draft is kept for 30 days, for whoever has its token.',
      operationId: 'createApplicationDraft',
      body: DraftBody,
      response: DraftMadeJson,
      status: 201,
      errors: [intake_closed, refuse.body_too_large],
    },
    async ({ params, body, request }) => ({
      token: await writing(params.slug, request, () => createDraft(body.contents)),
      expires_in: DRAFT_SECONDS,
    }),
  ),

  get(
    '/drafts/:token/',
    {
      ...withToken,
      ...typing,
      summary: 'What was typed so far',
      operationId: 'getApplicationDraft',
      response: DraftJson,
    },
    ({ params }) => reading(params.slug, () => readDraft(params.token)),
  ),

  put(
    '/drafts/:token/',
    {
      ...withToken,
      ...typing,
      summary: 'Keep what was typed',
      description: 'Of the right types, and nothing more is asked of it before it is sent. 64 kB at most.',
      operationId: 'replaceApplicationDraft',
      body: DraftPut,
      response: DraftJson,
      errors: [application_sent, refuse.stale_version, refuse.body_too_large],
    },
    ({ params, body, request }) =>
      writing(params.slug, request, () => keepDraft(params.token, body.contents, body.version)),
  ),

  post(
    '/drafts/:token/send-link/',
    {
      ...withToken,
      summary: 'Mail the link to a draft to the address that was typed in it',
      operationId: 'sendApplicationDraftLink',
      throttle: ['public_form', 'pnm_verify_email'],
      errors: [application_sent],
      status: 202,
    },
    ({ params, request }) =>
      accepting(params.slug, request, 'pnm_verify_email', (to) => sendDraftLink(to, params.token)),
  ),

  post(
    '/drafts/:token/attachments/',
    {
      ...attaches,
      summary: 'Attach a file to a draft',
      description: KINDS,
      operationId: 'createDraftAttachment',
      errors: [...fileRefusals, application_sent],
    },
    ({ params, query, request }) => takeAttachment(request, params, query.kind, ofDraft),
  ),

  post(
    '/drafts/:token/submit/',
    {
      ...withToken,
      ...submits,
      summary: 'Send a draft',
      description:
        'Refused, it stays as it is, and all that is wrong is named. Sent again, it is answered as the first time. Its token shows from then on how the application stands.',
      operationId: 'submitApplicationDraft',
      errors: refusals,
    },
    ({ params: { slug, token }, request }) =>
      writing(slug, request, async (to) => {
        const { status, confirmation } = await submitDraft(to, token, spendOnApplication(request));
        return submitted(token, status, confirmation);
      }),
  ),

  post(
    '/applications/',
    {
      ...publicly,
      ...submits,
      summary: 'Apply at once, without a draft',
      description: 'What is sent later with the same address counts instead, once its own mail is answered.',
      operationId: 'submitApplication',
      body: Contents,
      errors: refusals,
    },
    ({ params, body, request }) => {
      const token = newToken();
      return writing(params.slug, request, async (to) => {
        const { status, confirmation } = await submitApplication(to, body, {
          token,
          spend: spendOnApplication(request),
        });
        return submitted(token, status, confirmation);
      });
    },
  ),

  post(
    '/verify-email/',
    {
      ...publicly,
      summary: 'Confirm an application with the token that was mailed',
      description: 'It holds for 48 hours, and once.',
      operationId: 'confirmApplication',
      throttle: ['public_form', 'pnm_verify_email'],
      body: TokenBody,
      errors: [application_link_invalid, application_closed, intake_closed, organizationsErrors.chapter_not_active],
    },
    ({ params, body, request }) =>
      accepting(params.slug, request, 'pnm_verify_email', () => confirmApplication(body.token)),
  ),

  get(
    '/applications/:token/',
    {
      ...withToken,
      ...typing,
      summary: 'How an application stands, for whoever sent it',
      operationId: 'getApplicationStatus',
      response: ApplicationStatusJson,
    },
    ({ params }) => reading(params.slug, () => readStatus(params.token)),
  ),

  post(
    '/applications/:token/attachments/',
    {
      ...attaches,
      summary: 'Attach a file to an application that was sent',
      description: KINDS,
      operationId: 'createApplicationAttachment',
      errors: [...fileRefusals, application_closed],
    },
    ({ params, query, request }) => takeAttachment(request, params, query.kind, ofApplication),
  ),

  post(
    '/applications/:token/referees/',
    {
      ...withToken,
      summary: 'Name somebody who writes a letter of reference, or somebody else in the place of one',
      description:
        'They are mailed a link. Once the mailbox of the applicant has answered, and until somebody has decided on the application.',
      operationId: 'createReferee',
      throttle: ['public_form', 'pnm_verify_email'],
      body: NamedReferee,
      errors: [application_unconfirmed, application_closed, letter_requested, referees_complete],
    },
    ({ params, body, request }) =>
      accepting(params.slug, request, 'pnm_verify_email', () => nameReferee(params.token, body)),
  ),

  post(
    '/applications/:token/withdraw/',
    {
      ...withToken,
      summary: 'Take an application back',
      description: 'With erase, nothing stays of what was typed. Repeating it changes nothing.',
      operationId: 'withdrawApplication',
      body: WithdrawBody,
      errors: [application_closed],
    },
    ({ params, body, request }) => writing(params.slug, request, () => withdrawApplication(params.token, body)),
  ),
]);
