import { lockForEdit } from '../../../models/database/model/change.js';
import { loadRow, readRow } from '../../../models/database/model/read.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { lockProspect } from '../../../models/intake/pnm/moveProspect.js';
import { PnmProfile } from '../../../models/intake/pnm/PnmProfile.js';
import {
  cancelLetter,
  listLetters,
  remindReferee,
  waiveLetter,
} from '../../../models/intake/reference-letters/decideOnLetter.js';
import { ReferenceLetter } from '../../../models/intake/reference-letters/ReferenceLetter.js';
import { requestLetter } from '../../../models/intake/reference-letters/requestLetter.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { redirectToDownload } from '../../organizations/files/downloadAddress.js';
import { pnmPolicy } from '../pnm/policy.js';
import { LetterCreate, LetterFilters, LetterJson, LetterWaiver } from './schema.js';

const tenant = { access: 'tenant', tags: ['intake'], params: RowParams } as const;
const reads = { ...tenant, rule: by(pnmPolicy, 'read') } as const;
const writes = { ...tenant, rule: by(pnmPolicy, 'write') } as const;
const decides = { ...writes, response: LetterJson } as const;
const { no_longer_needed, letter_requested, letter_closed, letter_reminded, referees_complete } = intakeErrors;

/** Locks a letter of a chapter whose prospective members the actor may edit. @throws Refusal not_found, forbidden */
async function lockLetter(actor: Actor, id: string): Promise<ReferenceLetter> {
  const { profile_id } = await loadRow(ReferenceLetter, id);
  const { chapter_id } = await loadRow(PnmProfile, profile_id);
  authorize(actor, pnmPolicy, 'write', { chapter_id });
  return lockForEdit(ReferenceLetter, id);
}

export const referenceLetterRoutes = [
  get(
    '/api/pnm/:id/reference-letters/',
    {
      ...reads,
      summary: 'Letters about a prospective member, in the order of their requests',
      description: 'Includes the texts, which the prospective member never sees.',
      query: LetterFilters,
      response: pageOf(LetterJson),
    },
    async ({ actor, params: { id }, query, request }) => {
      const { chapter_id } = await loadRow(PnmProfile, id);
      authorize(actor, pnmPolicy, 'read', { chapter_id });
      return presentPage(await listLetters(id, pageRequest(query)), query, request, (one) => one);
    },
  ),

  post(
    '/api/pnm/:id/reference-letters/',
    {
      ...writes,
      summary: 'Request a letter about a prospective member',
      description:
        'The referee is mailed a link, and reminded after 7 and after 14 days. Possible until the application is decided.',
      body: LetterCreate,
      response: LetterJson,
      status: 201,
      errors: [no_longer_needed, letter_requested, referees_complete],
    },
    async ({ actor, params, body }) => {
      const { profile } = await lockProspect(params.id);
      authorize(actor, pnmPolicy, 'write', { chapter_id: profile.chapter_id });
      return readRow(ReferenceLetter, await requestLetter(profile, body, actor.userId));
    },
  ),

  post(
    '/api/reference-letters/:id/remind/',
    {
      ...decides,
      summary: 'Mail the referee of a letter again',
      description: 'Earlier links stay valid. Possible once a day.',
      operationId: 'remindReferee',
      errors: [letter_closed, letter_reminded],
    },
    async ({ actor, params }) => {
      await remindReferee(await lockLetter(actor, params.id));
      return readRow(ReferenceLetter, params.id);
    },
  ),

  post(
    '/api/reference-letters/:id/cancel/',
    {
      ...decides,
      summary: 'Cancel the request for a letter',
      description:
        'The mailed links then answer that the letter is no longer needed. A repeated request changes nothing.',
      operationId: 'cancelReferenceLetter',
      errors: [letter_closed],
    },
    async ({ actor, params }) => {
      await cancelLetter(await lockLetter(actor, params.id));
      return readRow(ReferenceLetter, params.id);
    },
  ),

  post(
    '/api/reference-letters/:id/waive/',
    {
      ...decides,
      summary: 'Waive a letter that has not arrived',
      description: 'The application counts as complete without the letter. An open request is cancelled.',
      operationId: 'waiveReferenceLetter',
      body: LetterWaiver,
      errors: [letter_closed],
    },
    async ({ actor, params, body }) => {
      await waiveLetter(await lockLetter(actor, params.id), body.reason);
      return readRow(ReferenceLetter, params.id);
    },
  ),

  get(
    '/api/reference-letters/:id/file/',
    {
      ...reads,
      summary: 'Download a letter that was sent as a PDF',
      description: 'Redirects to an address that is valid for five minutes. The file is downloaded, not displayed.',
      operationId: 'getReferenceLetterFile',
      status: 302,
      errors: [fileErrors.storage_unavailable, fileErrors.file_not_checked],
    },
    async ({ actor, params }) => {
      const { profile_id, file_id } = await loadRow(ReferenceLetter, params.id);
      const { chapter_id } = await loadRow(PnmProfile, profile_id);
      authorize(actor, pnmPolicy, 'read', { chapter_id });
      return redirectToDownload(actor.organizationId, file_id === null ? null : await locateFile(file_id));
    },
  ),
];
