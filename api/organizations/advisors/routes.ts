import { z } from 'zod';
import { createRow, editRow, lockForEdit, removeRow } from '../../../models/database/model/change.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { createBody, editBody, rowJson, toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { ChapterAdvisor } from '../../../models/organizations/ChapterAdvisor.js';
import { pageOfChapter } from '../../../models/organizations/chapters.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, chapterManagers, memberOfChapter, policy } from '../../http/policy.js';
import { del, get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';

const advisorPolicy = policy('chapter advisor', {
  read: [...chapterManagers, memberOfChapter],
  write: chapterManagers,
});

const AdvisorJson = rowJson(ChapterAdvisor);
const common = { access: 'tenant', tags: ['organizations'], params: RowParams } as const;
const writes = { ...common, rule: by(advisorPolicy, 'write') } as const;

export const advisorRoutes = [
  get(
    '/api/chapters/:id/advisors/',
    {
      ...common,
      summary: 'List the advisors of a chapter, by name: contacts who need no account',
      rule: by(advisorPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(AdvisorJson),
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, advisorPolicy, 'read', params.id);
      const where = { chapter_id: params.id };
      const page = readPage(ChapterAdvisor, { where, orderBy: 'chapter_advisors.name', ...pageRequest(query) });
      return presentPage(await pageOfChapter(params.id, page), query, request, (row) => row);
    },
  ),

  post(
    '/api/chapters/:id/advisors/',
    { ...writes, summary: 'Add an advisor', body: createBody(ChapterAdvisor), response: AdvisorJson, status: 201 },
    async ({ actor, params, body }) => {
      await authorizeInChapter(actor, advisorPolicy, 'write', params.id);
      const { id } = await createRow(ChapterAdvisor, { ...toColumns(ChapterAdvisor, body), chapter_id: params.id });
      return readRow(ChapterAdvisor, id);
    },
  ),

  patch(
    '/api/chapter-advisors/:id/',
    {
      ...writes,
      summary: 'Change an advisor',
      body: editBody(ChapterAdvisor),
      response: AdvisorJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      const advisor = await lockForEdit(ChapterAdvisor, params.id);
      authorize(actor, advisorPolicy, 'write', advisor);
      await editRow(advisor, toColumns(ChapterAdvisor, body));
      return readRow(ChapterAdvisor, params.id);
    },
  ),

  del('/api/chapter-advisors/:id/', { ...writes, summary: 'Remove an advisor' }, async ({ actor, params }) => {
    authorize(actor, advisorPolicy, 'write', await lockForEdit(ChapterAdvisor, params.id));
    await removeRow(ChapterAdvisor, params.id);
  }),
];
