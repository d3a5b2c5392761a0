import { createHash } from 'node:crypto';
import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { newToken } from '../../../models/identity/secretTokens.js';
import { Question } from '../../../models/intake/pnm-config/ApplicationConfig.js';
import { readApplicationConfig } from '../../../models/intake/pnm-config/config.js';
import { confirmApplication } from '../../../models/intake/pnm-applications/confirmApplication.js';
import { requiredFields } from '../../../models/intake/pnm-applications/checkContents.js';
import { Contents } from '../../../models/intake/pnm-applications/contents.js';
import {
  createDraft,
  DRAFT_SECONDS,
  saveDraft,
  readDraft,
  sendDraftLink,
  submitDraft,
} from '../../../models/intake/pnm-applications/drafts.js';
import {
  readRequestedConsents,
  listFormChapters,
  readFormPeriod,
} from '../../../models/intake/pnm-applications/publicForm.js';
import { readStatus, RESTRICTED_TEXT, STATUS_TEXTS } from '../../../models/intake/pnm-applications/readStatus.js';
import { type Submitted, submitApplication } from '../../../models/intake/pnm-applications/submitApplication.js';
import { withdrawApplication } from '../../../models/intake/pnm-applications/withdrawApplication.js';
import { nameReferee } from '../../../models/intake/reference-letters/referees.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { lockApplicationOwner, lockDraftOwner } from '../../../models/intake/pnm-applications/attachments.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { get, post, put, type RequestFacts, routes } from '../../http/routes.js';
import { UploadForm } from '../../organizations/files/schema.js';
import { NamedReferee } from '../reference-letters/schema.js';
import { takeAttachment } from './takeAnonymousFile.js';
import { acceptForm, readInForm, writeInForm } from './formTransactions.js';
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
/** Options for reading a form and saving drafts, which is done often, and by many people who share an IP address. */
const formThrottle = { throttle: ['pnm_form'] } as const;
const submitOptions = {
  throttle: ['public_form', 'pnm_submit_ip', 'pnm_submit_email'],
  response: SubmittedJson,
  status: 202,
} as const;
const refusals = [intake_closed, application_closed, gpa_below_minimum];

const ATTACHMENT_RULES =
  'PDF, DOCX, JPEG, PNG or WebP, detected from the content, up to 10 MB; a headshot up to 5 MB, which is re-encoded. One file of each kind: a new one replaces it.';
const attachOptions = {
  ...withToken,
  throttle: ['pnm_attachment'],
  query: AttachmentQuery,
  upload: UploadForm,
  response: AttachedJson,
  status: 201,
} as const;
const fileRefusals = [fileErrors.storage_unavailable, refuse.body_too_large];

/** Counts an accepted application against two throttles: that of the sender's network, and that of its email address. */
const spendOnApplication = (request: RequestFacts) => (email: string) => [
  spendingAccepted(request, 'pnm_submit_ip'),
  spendingOnTarget('pnm_submit_email', createHash('sha256').update(email).digest('hex')),
];

const presentSubmitted = (token: string, status: Submitted['status'], confirmation: string | null) => ({
  token,
  status,
  says: status === 'received' ? RESTRICTED_TEXT : STATUS_TEXTS[status],
  confirmation,
});

export const publicApplicationRoutes = routes('/api/pnm/public/:slug', [
  get(
    '/',
    {
      ...publicly,
      ...formThrottle,
      summary: 'An organization’s form for applicants',
      description: 'The answer says whether the form is closed. 404 for an organization that accepts no applications.',
      operationId: 'getApplicationForm',
      response: FormJson,
    },
    ({ params }) =>
      readInForm(params.slug, async ({ name, slug }) => {
        const { name: period, ...times } = await readFormPeriod();
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
          required_fields: requiredFields(config),
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
      ...formThrottle,
      summary: 'Chapters that accept applications, by name',
      operationId: 'listFormChapters',
      response: z.array(FormChapterJson),
    },
    ({ params }) =>
      readInForm(params.slug, async () => {
        await readFormPeriod();
        return listFormChapters();
      }),
  ),

  get(
    '/questions/',
    {
      ...publicly,
      ...formThrottle,
      summary: 'Questions of the form, in its order',
      operationId: 'listFormQuestions',
      response: z.array(Question),
    },
    ({ params }) =>
      readInForm(params.slug, async () => {
        await readFormPeriod();
        const { questions } = await readApplicationConfig();
        return questions.filter(({ is_archived }) => !is_archived);
      }),
  ),

  get(
    '/consents/',
    {
      ...publicly,
      ...formThrottle,
      summary: 'Consents that applicants must give',
      operationId: 'listFormConsents',
      response: z.array(FormConsentJson),
    },
    ({ params }) =>
      readInForm(params.slug, async () => {
        await readFormPeriod();
        return readRequestedConsents();
      }),
  ),

  post(
    '/drafts/',
    {
      ...publicly,
      summary: 'Create a draft of an application',
      description: 'The draft is kept for 30 days. Its token gives access to it.',
      operationId: 'createApplicationDraft',
      body: DraftBody,
      response: DraftMadeJson,
      status: 201,
      errors: [intake_closed, refuse.body_too_large],
    },
    async ({ params, body, request }) => ({
      token: await writeInForm(params.slug, request, () => createDraft(body.contents)),
      expires_in: DRAFT_SECONDS,
    }),
  ),

  get(
    '/drafts/:token/',
    {
      ...withToken,
      ...formThrottle,
      summary: 'A draft of an application',
      operationId: 'getApplicationDraft',
      response: DraftJson,
    },
    ({ params }) => readInForm(params.slug, () => readDraft(params.token)),
  ),

  put(
    '/drafts/:token/',
    {
      ...withToken,
      ...formThrottle,
      summary: 'Save a draft',
      description: 'Only types are checked before submission. At most 64 kB.',
      operationId: 'replaceApplicationDraft',
      body: DraftPut,
      response: DraftJson,
      errors: [application_sent, refuse.stale_version, refuse.body_too_large],
    },
    ({ params, body, request }) =>
      writeInForm(params.slug, request, () => saveDraft(params.token, body.contents, body.version)),
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
      acceptForm(params.slug, request, 'pnm_verify_email', (to) => sendDraftLink(to, params.token)),
  ),

  post(
    '/drafts/:token/attachments/',
    {
      ...attachOptions,
      summary: 'Attach a file to a draft',
      description: ATTACHMENT_RULES,
      operationId: 'createDraftAttachment',
      errors: [...fileRefusals, application_sent],
    },
    ({ params, query, request }) => takeAttachment(request, params, query.kind, lockDraftOwner),
  ),

  post(
    '/drafts/:token/submit/',
    {
      ...withToken,
      ...submitOptions,
      summary: 'Submit a draft',
      description:
        'A refused draft stays unchanged, and the answer names all problems. A repeated request gets the first answer. From then on its token shows the status of the application.',
      operationId: 'submitApplicationDraft',
      errors: refusals,
    },
    ({ params: { slug, token }, request }) =>
      writeInForm(slug, request, async (to) => {
        const { status, confirmation } = await submitDraft(to, token, spendOnApplication(request));
        return presentSubmitted(token, status, confirmation);
      }),
  ),

  post(
    '/applications/',
    {
      ...publicly,
      ...submitOptions,
      summary: 'Submit an application without a draft',
      description: 'A later application with the same address replaces this one once its own mail is answered.',
      operationId: 'submitApplication',
      body: Contents,
      errors: refusals,
    },
    ({ params, body, request }) => {
      const token = newToken();
      return writeInForm(params.slug, request, async (to) => {
        const { status, confirmation } = await submitApplication(to, body, {
          token,
          spend: spendOnApplication(request),
        });
        return presentSubmitted(token, status, confirmation);
      });
    },
  ),

  post(
    '/verify-email/',
    {
      ...publicly,
      summary: 'Confirm an application with the token that was mailed',
      description: 'The token is valid for 48 hours, for one use.',
      operationId: 'confirmApplication',
      throttle: ['public_form', 'pnm_verify_email'],
      body: TokenBody,
      errors: [application_link_invalid, application_closed, intake_closed, organizationsErrors.chapter_not_active],
    },
    ({ params, body, request }) =>
      acceptForm(params.slug, request, 'pnm_verify_email', () => confirmApplication(body.token)),
  ),

  get(
    '/applications/:token/',
    {
      ...withToken,
      ...formThrottle,
      summary: 'Status of an application, for its sender',
      operationId: 'getApplicationStatus',
      response: ApplicationStatusJson,
    },
    ({ params }) => readInForm(params.slug, () => readStatus(params.token)),
  ),

  post(
    '/applications/:token/attachments/',
    {
      ...attachOptions,
      summary: 'Attach a file to a submitted application',
      description: ATTACHMENT_RULES,
      operationId: 'createApplicationAttachment',
      errors: [...fileRefusals, application_closed],
    },
    ({ params, query, request }) => takeAttachment(request, params, query.kind, lockApplicationOwner),
  ),

  post(
    '/applications/:token/referees/',
    {
      ...withToken,
      summary: 'Name a referee, or replace one',
      description:
        'The referee is mailed a link. Possible once the applicant’s email address is confirmed, and until the application is decided.',
      operationId: 'createReferee',
      throttle: ['public_form', 'pnm_verify_email'],
      body: NamedReferee,
      errors: [application_unconfirmed, application_closed, letter_requested, referees_complete],
    },
    ({ params, body, request }) =>
      acceptForm(params.slug, request, 'pnm_verify_email', () => nameReferee(params.token, body)),
  ),

  post(
    '/applications/:token/withdraw/',
    {
      ...withToken,
      summary: 'Withdraw an application',
      description: 'With erase, everything that was typed is deleted. A repeated request changes nothing.',
      operationId: 'withdrawApplication',
      body: WithdrawBody,
      errors: [application_closed],
    },
    ({ params, body, request }) => writeInForm(params.slug, request, () => withdrawApplication(params.token, body)),
  ),
]);
