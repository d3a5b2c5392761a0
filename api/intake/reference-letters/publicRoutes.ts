import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import {
  declineLetter,
  giveFile,
  giveText,
  lockAsked,
  readAskedLetter,
} from '../../../models/intake/reference-letters/giveLetter.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { get, post, type RequestFacts, routes } from '../../http/routes.js';
import { spendAccepted } from '../../http/throttles/spend.js';
import { UploadForm } from '../../organizations/files/schema.js';
import { accepting, reading } from '../public/inForm.js';
import { TokenParams } from '../public/schema.js';
import { takeFromStranger } from '../public/takeFromStranger.js';
import { AskedLetterJson, LetterText } from './schema.js';

const { no_longer_needed, letter_closed } = intakeErrors;
const publicly = { access: 'public', tags: ['intake'], params: TokenParams } as const;
const gives = { ...publicly, throttle: ['public_form', 'public_reference_letter'] } as const;

const giving = (slug: string, request: RequestFacts, give: () => Promise<void>): Promise<void> =>
  accepting(slug, request, 'public_reference_letter', give);

export const publicLetterRoutes = routes('/api/pnm/public/:slug/reference-letters/:token', [
  get(
    '/',
    {
      ...publicly,
      throttle: ['pnm_form'],
      summary: 'Whom a letter of reference is about',
      description: 'Reading it uses nothing up.',
      operationId: 'getAskedLetter',
      response: AskedLetterJson,
      errors: [no_longer_needed],
    },
    ({ params }) => reading(params.slug, () => readAskedLetter(params.token)),
  ),

  post(
    '/',
    {
      ...gives,
      summary: 'Write a letter of reference',
      description: 'Once, with whichever link was mailed. Sent again, it is answered as the first time.',
      operationId: 'submitReferenceLetter',
      body: LetterText,
      errors: [no_longer_needed, letter_closed],
    },
    ({ params, body, request }) => giving(params.slug, request, () => giveText(params.token, body.text)),
  ),

  post(
    '/file/',
    {
      ...gives,
      // Refused files cost more than other refused forms.
      throttle: ['pnm_attachment', 'public_reference_letter'],
      summary: 'Send a letter of reference as a PDF',
      description: 'A PDF by its content, up to 10 MB.',
      operationId: 'submitReferenceLetterFile',
      upload: UploadForm,
      status: 204,
      errors: [no_longer_needed, letter_closed, fileErrors.storage_unavailable, refuse.body_too_large],
    },
    ({ params: { slug, token }, request }) => {
      const may = () => lockAsked(token);
      return takeFromStranger(request, slug, 'pnm_letter', may, async (file) => {
        await giveFile(token, file.id);
        await spendAccepted(request, 'public_reference_letter');
      });
    },
  ),

  post(
    '/decline/',
    {
      ...gives,
      summary: 'Say that one will not write a letter of reference',
      operationId: 'declineReferenceLetter',
      errors: [no_longer_needed, letter_closed],
    },
    ({ params, request }) => giving(params.slug, request, () => declineLetter(params.token)),
  ),
]);
