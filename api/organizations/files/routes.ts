import { requireFound, refuse } from '../../../models/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { beginUpload, findFile, locateFile, type StoredFile } from '../../../models/organizations/files/storedFiles.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { findRequestOfDocument } from '../../../models/organizations/status-change-requests/findRequestOfDocument.js';
import type { FilePurpose, UploadPurpose } from '../../../models/organizations/files/purposes.js';
import { originOf } from '../../http/origin.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import {
  anyone,
  authorize,
  by,
  type Grant,
  may,
  nationalAdmin,
  officerOfChapter,
  policy,
  self,
} from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { StoredFileJson, UploadForm, UploadQuery } from './schema.js';
import { redirectToDownload } from './downloadAddress.js';
import { requireStore, storeUpload } from './storeUpload.js';

/**
 * Purposes of files that are read through `/api/files`. Files of applicants are read with their application, rendered
 * documents where they were requested, pictures of campaigns with the campaign, and attachments with their text.
 */
type GenericFilePurpose = Exclude<
  FilePurpose,
  `pnm_${string}` | `forum_${string}` | 'drawn_document' | 'campaign_hero'
>;
type Actions = `upload_${UploadPurpose}` | `read_${GenericFilePurpose}` | 'review_request_document';

const rules: Record<Actions, readonly Grant[]> = {
  upload_import: [nationalAdmin],
  read_import: [nationalAdmin],
  upload_request_document: [anyone],
  read_request_document: [self],
  review_request_document: [nationalAdmin, officerOfChapter],
  read_roster_export: [nationalAdmin],
  /**
   * Only admins read exports here. Other readers use the export's own route, which checks whether they may see the
   * amounts in it.
   */
  read_invoice_export: [nationalAdmin],
};

const isGeneric = (purpose: FilePurpose): purpose is GenericFilePurpose => `read_${purpose}` in rules;

const storedFilePolicy = policy('stored file', rules);

const common = { access: 'tenant', tags: ['organizations'] } as const;

/**
 * Reports whether the actor may download a file. A request document is readable by its uploader, and by those who
 * decide on its request.
 */
async function mayDownload(actor: Actor, { id, purpose, uploaded_by }: StoredFile): Promise<boolean> {
  if (uploaded_by === null || !isGeneric(purpose)) return false;
  if (may(actor, storedFilePolicy, `read_${purpose}`, { user_id: uploaded_by })) return true;
  const request = purpose === 'request_document' ? await findRequestOfDocument(id) : null;
  return request !== null && may(actor, storedFilePolicy, 'review_request_document', request);
}

export const fileRoutes = [
  ...routes('/api/organizations/:organization_id/files', [
    post(
      '/',
      {
        ...common,
        summary: 'Upload a file',
        description: 'Files with a media type or size that the purpose does not allow are rejected.',
        rule: by(storedFilePolicy, 'upload_import', 'upload_request_document'),
        params: OrganizationParams,
        query: UploadQuery,
        upload: UploadForm,
        response: StoredFileJson,
        status: 201,
        errors: [fileErrors.storage_unavailable, fileErrors.too_many_files, refuse.body_too_large],
      },
      async ({ actor, query: { purpose }, request }) => {
        authorize(actor, storedFilePolicy, `upload_${purpose}`);
        await requireStore();
        const upload = { ...(await beginUpload(purpose, actor.userId)), purpose };
        const origin = originOf(request, actor);
        return new AfterCommit(() => storeUpload(request, actor.organizationId, upload, origin));
      },
    ),
  ]),
  ...routes('/api/files', [
    get(
      '/:id/',
      {
        ...common,
        summary: 'Download a file',
        description: 'Redirects to a URL that is valid for five minutes and downloads the file.',
        rule: by(
          storedFilePolicy,
          'read_import',
          'read_request_document',
          'review_request_document',
          'read_roster_export',
          'read_invoice_export',
        ),
        params: RowParams,
        status: 302,
        errors: [fileErrors.storage_unavailable, fileErrors.file_not_checked],
      },
      async ({ actor, params }) => {
        const file = requireFound(await findFile(params.id));
        // Only people who may read the file may learn that it exists.
        if (!(await mayDownload(actor, file))) throw refuse.not_found();
        return redirectToDownload(actor.organizationId, await locateFile(params.id));
      },
    ),
  ]),
];
