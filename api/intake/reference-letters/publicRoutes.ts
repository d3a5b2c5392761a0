import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import {
  declineLetter,
  submitFile,
  submitText,
  lockRequestedLetter,
  readLetterRequest,
} from '../../../models/intake/reference-letters/submitLetter.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { get, post, type RequestFacts, routes } from '../../http/routes.js';
import { spendAccepted } from '../../http/throttles/spend.js';
import { UploadForm } from '../../organizations/files/schema.js';
import { acceptForm, readInForm } from '../public/formTransactions.js';
import { TokenParams } from '../public/schema.js';
import { takeAnonymousFile } from '../public/takeAnonymousFile.js';
import { LetterRequestJson, LetterText } from './schema.js';

const { no_longer_needed, letter_closed } = intakeErrors;
const publicly = { access: 'public', tags: ['intake'], params: TokenParams } as const;
const answerOptions = { ...publicly, throttle: ['public_form', 'public_reference_letter'] } as const;

const acceptLetter = (slug: string, request: RequestFacts, submit: () => Promise<void>): Promise<void> =>
  acceptForm(slug, request, 'public_reference_letter', submit);

export const publicLetterRoutes = routes('/api/pnm/public/:slug/reference-letters/:token', [
  get(
    '/',
    {
      ...publicly,
      throttle: ['pnm_form'],
      summary: 'A request for a letter of reference',
      description: 'Reading does not use the link up.',
      operationId: 'getAskedLetter',
      response: LetterRequestJson,
      errors: [no_longer_needed],
    },
    ({ params }) => readInForm(params.slug, () => readLetterRequest(params.token)),
  ),

  post(
    '/',
    {
      ...answerOptions,
      summary: 'Write a letter of reference',
      description: 'Possible once, with any of the mailed links. A repeated request gets the first answer.',
      operationId: 'submitReferenceLetter',
      body: LetterText,
      errors: [no_longer_needed, letter_closed],
    },
    ({ params, body, request }) => acceptLetter(params.slug, request, () => submitText(params.token, body.text)),
  ),

  post(
    '/file/',
    {
      ...answerOptions,
      // `pnm_attachment` also counts refused files, because they cost more than other refused forms.
      throttle: ['pnm_attachment', 'public_reference_letter'],
      summary: 'Send a letter of reference as a PDF',
      description: 'A PDF, detected from the content, up to 10 MB.',
      operationId: 'submitReferenceLetterFile',
      upload: UploadForm,
      status: 204,
      errors: [no_longer_needed, letter_closed, fileErrors.storage_unavailable, refuse.body_too_large],
    },
    ({ params: { slug, token }, request }) => {
      const checkToken = () => lockRequestedLetter(token);
      return takeAnonymousFile(request, slug, 'pnm_letter', checkToken, async (file) => {
        await submitFile(token, file.id);
        await spendAccepted(request, 'public_reference_letter');
      });
    },
  ),

  post(
    '/decline/',
    {
      ...answerOptions,
      summary: 'Decline to write a letter of reference',
      operationId: 'declineReferenceLetter',
      errors: [no_longer_needed, letter_closed],
    },
    ({ params, request }) => acceptLetter(params.slug, request, () => declineLetter(params.token)),
  ),
]);
