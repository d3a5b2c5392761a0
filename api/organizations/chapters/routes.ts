import { Chapter } from '../../../models/organizations/Chapter.js';
import { changeChapter } from '../../../models/organizations/changeChapter.js';
import { listChapters } from '../../../models/organizations/chapters.js';
import { createRow, lockForEdit } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { refuse } from '../../../models/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, nationalAdmin, policy, regionalAdminOfChapter } from '../../http/policy.js';
import { get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { ChapterCreate, ChapterEdit, ChapterFilters, ChapterJson } from './schema.js';

const chapterPolicy = policy('chapter', {
  read: [anyone],
  update: [nationalAdmin, regionalAdminOfChapter],
  /** Create a chapter, and change its status or its region. */
  govern: [nationalAdmin],
});

const tags = ['organizations'];

export const chapterRoutes = [
  get(
    '/api/organizations/:organization_id/chapters/',
    {
      summary: 'List chapters',
      rule: by(chapterPolicy, 'read'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      query: ChapterFilters,
      response: pageOf(ChapterJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, chapterPolicy, 'read');
      const { status, region, search, ordering: orderBy } = query;
      const page = await listChapters({ status, region, search, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/api/organizations/:organization_id/chapters/',
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
    async ({ actor, body }) => {
      authorize(actor, chapterPolicy, 'govern');
      return readRow(Chapter, (await createRow(Chapter, toColumns(Chapter, body))).id);
    },
  ),

  get(
    '/api/chapters/:id/',
    {
      summary: 'Get a chapter',
      rule: by(chapterPolicy, 'read'),
      access: 'tenant',
      tags,
      params: RowParams,
      response: ChapterJson,
    },
    async ({ actor, params }) => {
      authorize(actor, chapterPolicy, 'read');
      return readRow(Chapter, params.id);
    },
  ),

  patch(
    '/api/chapters/:id/',
    {
      summary: 'Change a chapter',
      description:
        'Only national admins change region and status. Allowed transitions: active to suspended and back, both to inactive, and inactive to active. A chapter that is not active accepts no new members, is not billed and is not listed; its members still sign in, pay and reconcile.',
      rule: by(chapterPolicy, 'govern', 'update'),
      access: 'tenant',
      tags,
      params: RowParams,
      body: ChapterEdit,
      response: ChapterJson,
      errors: [refuse.stale_version, refuse.duplicate, organizationsErrors.transition_not_allowed],
    },
    async ({ actor, params, body }) => {
      const needsGovern = body.region !== undefined || body.status !== undefined;
      await authorizeInChapter(actor, chapterPolicy, needsGovern ? 'govern' : 'update', params.id);
      const { reason, ...edit } = body;
      await changeChapter(await lockForEdit(Chapter, params.id), toColumns(Chapter, edit), reason);
      return readRow(Chapter, params.id);
    },
  ),
];
