import { refuse } from '../../../models/errors.js';
import { changeChapter, createChapter, listChapters, readChapter } from '../../../models/organizations/chapters.js';
import { found } from '../../../models/organizations/found.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { OrganizationParams } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { chapterPolicy } from './policy.js';
import { ChapterCreate, ChapterEdit, ChapterFilters, ChapterJson, ChapterParams } from './schema.js';

const tags = ['organizations'];

export const chapterRoutes = [
  get(
    '/api/organizations/:id/chapters/',
    {
      summary: 'Chapters',
      rule: by(chapterPolicy, 'read'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      query: ChapterFilters,
      response: pageOf(ChapterJson),
    },
    async ({ actor, params, query, request }) => {
      organizationInPath(actor, params.id);
      authorize(actor, chapterPolicy, 'read');
      const { status, region, search, ordering: orderBy } = query;
      const page = await listChapters({ status, region, search, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/api/organizations/:id/chapters/',
    {
      summary: 'Create a chapter',
      rule: by(chapterPolicy, 'govern'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      body: ChapterCreate,
      response: ChapterJson,
      status: 201,
      errors: [refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, chapterPolicy, 'govern');
      return found(await readChapter(await createChapter(body)));
    },
  ),

  get(
    '/api/chapters/:id/',
    {
      summary: 'A chapter',
      rule: by(chapterPolicy, 'read'),
      access: 'tenant',
      tags,
      params: ChapterParams,
      response: ChapterJson,
    },
    async ({ actor, params }) => {
      authorize(actor, chapterPolicy, 'read');
      return found(await readChapter(params.id));
    },
  ),

  patch(
    '/api/chapters/:id/',
    {
      summary: 'Change a chapter',
      rule: by(chapterPolicy, 'govern', 'update'),
      access: 'tenant',
      tags,
      params: ChapterParams,
      body: ChapterEdit,
      response: ChapterJson,
      errors: [refuse.stale_version, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      const governs = body.region !== undefined || body.status !== undefined;
      await authorizeInChapter(actor, chapterPolicy, governs ? 'govern' : 'update', params.id);
      await changeChapter(params.id, body);
      return found(await readChapter(params.id));
    },
  ),
];
