import { readPage, readRow } from '../../../models/database/model/read.js';
import { pageOfChapter } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { PlannedTerm } from '../../../models/organizations/officer-terms/PlannedTerm.js';
import { cancelPlannedTerm } from '../../../models/organizations/officer-terms/planTerm.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { by } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { officerTermPolicy } from '../officer-terms/routes.js';
import { PlannedTermFilters, PlannedTermJson, PlannedTermParams } from './schema.js';

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const IN_CHAPTER = '/api/chapters/:id/planned-terms/';

export const plannedTermRoutes = [
  get(
    IN_CHAPTER,
    {
      ...tenant,
      summary: 'List the planned terms of a chapter, newest first',
      rule: by(officerTermPolicy, 'read_succession'),
      params: RowParams,
      query: PlannedTermFilters,
      response: pageOf(PlannedTermJson),
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'read_succession', params.id);
      const where = { chapter_id: params.id, state: query.state };
      const list = readPage(PlannedTerm, { where, orderBy: 'planned_terms.id DESC', ...pageRequest(query) });
      return presentPage(await pageOfChapter(params.id, list), query, request, (row) => row);
    },
  ),

  post(
    `${IN_CHAPTER}:planned_term_id/cancel/`,
    {
      ...tenant,
      summary: 'Cancel a planned term',
      rule: by(officerTermPolicy, 'write'),
      params: PlannedTermParams,
      response: PlannedTermJson,
      errors: [organizationsErrors.change_ended],
    },
    async ({ actor, params }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'write', params.id);
      await cancelPlannedTerm(params.id, params.planned_term_id);
      return readRow(PlannedTerm, params.planned_term_id);
    },
  ),
];
