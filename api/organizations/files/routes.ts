import { requireFound, refuse } from '../../../models/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { beginUpload, findFile, locateFile } from '../../../models/organizations/files/storedFiles.js';
import { originOf } from '../../http/origin.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { AfterCommit, get, post, routes } from '../../http/routes.js';
import { storedFilePolicy } from './policy.js';
import { StoredFileJson, UploadForm, UploadQuery } from './schema.js';
import { redirectToDownload } from './downloadAddress.js';
import { mayDownload } from './mayDownload.js';
import { requireStore, storeUpload } from './storeUpload.js';

const common = { access: 'tenant', tags: ['organizations'] } as const;

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
