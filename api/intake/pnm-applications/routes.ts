import { requireFound } from '../../../models/errors.js';
import { readAttachedFile } from '../../../models/intake/pnm-applications/attachments.js';
import { listApplications, readApplicationOf } from '../../../models/intake/pnm-applications/readApplications.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { readProspect } from '../../../models/intake/pnm/readProspects.js';
import { pageOfChapter } from '../../../models/organizations/chapters.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { redirectToDownload } from '../../organizations/files/downloadAddress.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { pnmPolicy } from '../pnm/policy.js';
import { ApplicationDetailJson, ApplicationFilters, ApplicationJson, AttachmentParams } from './schema.js';

const reads = { access: 'tenant', tags: ['intake'], rule: by(pnmPolicy, 'read') } as const;

export const applicationRoutes = [
  get(
    '/api/organizations/:organization_id/pnm-applications/',
    {
      ...reads,
      summary: 'Applications to all chapters; the newest first',
      description: 'Includes applications that created no prospective member; `standing` gives the reason.',
      operationId: 'listApplications',
      params: OrganizationParams,
      query: ApplicationFilters,
      response: pageOf(ApplicationJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, pnmPolicy, 'read');
      const { period, state, flagged, unverified, search } = query;
      const list = { period, state, flagged, unverified, search, ...pageRequest(query) };
      return presentPage(await listApplications(list), query, request, (one) => one);
    },
  ),

  get(
    '/api/chapters/:id/pnm-applications/',
    {
      ...reads,
      summary: 'Applications to a chapter; the newest first',
      operationId: 'listChapterApplications',
      params: RowParams,
      query: ApplicationFilters,
      response: pageOf(ApplicationJson),
    },
    async ({ actor, params: { id: chapter }, query, request }) => {
      await authorizeInChapter(actor, pnmPolicy, 'read', chapter);
      const { period, state, flagged, unverified, search } = query;
      const list = { chapter, period, state, flagged, unverified, search, ...pageRequest(query) };
      const page = await pageOfChapter(chapter, listApplications(list));
      return presentPage(page, query, request, (one) => one);
    },
  ),

  get(
    '/api/pnm/:id/application/',
    {
      ...reads,
      summary: 'The application of a prospective member',
      description:
        'The latest application with its earlier versions, in the wording of their time. 404 for a person whom an officer added.',
      operationId: 'getProspectApplication',
      params: RowParams,
      response: ApplicationDetailJson,
    },
    async ({ actor, params }) => {
      const { chapter } = requireFound(await readProspect(params.id));
      authorize(actor, pnmPolicy, 'read', { chapter_id: chapter });
      return requireFound(await readApplicationOf(params.id));
    },
  ),

  get(
    '/api/pnm/:id/attachments/:attachment_id/',
    {
      ...reads,
      summary: 'Download a file of an applicant',
      description: 'Redirects to an address that is valid for five minutes. The file is downloaded, not displayed.',
      operationId: 'getProspectAttachment',
      params: AttachmentParams,
      status: 302,
      errors: [fileErrors.storage_unavailable, fileErrors.file_not_checked],
    },
    async ({ actor, params }) => {
      const { chapter } = requireFound(await readProspect(params.id));
      authorize(actor, pnmPolicy, 'read', { chapter_id: chapter });
      return redirectToDownload(
        actor.organizationId,
        await locateFile(await readAttachedFile(params.id, params.attachment_id)),
      );
    },
  ),
];
