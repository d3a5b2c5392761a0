import { z } from 'zod';
import { loadRow, readRow } from '../../../models/database/model/read.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { recordId } from '../../../models/fields.js';
import { pageOfChapter } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { beginTerm } from '../../../models/organizations/officer-terms/beginTerm.js';
import { changeTerm, removeTerm } from '../../../models/organizations/officer-terms/changeTerm.js';
import { handOver } from '../../../models/organizations/officer-terms/handOver.js';
import { listTerms } from '../../../models/organizations/officer-terms/listTerms.js';
import { OfficerTerm } from '../../../models/organizations/officer-terms/OfficerTerm.js';
import { readSuccession } from '../../../models/organizations/officer-terms/readSuccession.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { del, get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { officerTermPolicy } from './policy.js';
import {
  HandOverBody,
  OfficerTermCreate,
  OfficerTermEdit,
  OfficerTermFilters,
  OfficerTermJson,
  SuccessionJson,
} from './schema.js';

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const writes = { ...tenant, rule: by(officerTermPolicy, 'write') } as const;
const IN_CHAPTER = '/api/chapters/:id/officer-terms/';
const TermParams = z.object({ id: recordId, term_id: recordId });
const { later_change_exists, not_in_active_standing, office_taken, term_ended } = organizationsErrors;
const follows = [not_in_active_standing, later_change_exists];

export const officerTermRoutes = [
  get(
    IN_CHAPTER,
    {
      ...tenant,
      summary: 'Who holds and held the offices of a chapter',
      rule: by(officerTermPolicy, 'read'),
      params: RowParams,
      query: OfficerTermFilters,
      response: pageOf(OfficerTermJson),
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'read', params.id);
      const { running, ordering: orderBy } = query;
      const list = listTerms({ chapter: params.id, running, orderBy, ...pageRequest(query) });
      return presentPage(await pageOfChapter(params.id, list), query, request, (row) => row);
    },
  ),

  post(
    IN_CHAPTER,
    {
      ...writes,
      summary: 'Give a member an office',
      description: 'The role follows: president by that office, officer by any other.',
      params: RowParams,
      body: OfficerTermCreate,
      response: OfficerTermJson,
      status: 201,
      errors: [...follows, office_taken, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'write', params.id);
      return readRow(OfficerTerm, await beginTerm(params.id, toColumns(OfficerTerm, body)));
    },
  ),

  patch(
    `${IN_CHAPTER}:term_id/`,
    {
      ...writes,
      summary: 'Change a term, or end it',
      params: TermParams,
      body: OfficerTermEdit,
      response: OfficerTermJson,
      errors: [...follows, term_ended, refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'write', params.id);
      await changeTerm(params.id, params.term_id, toColumns(OfficerTerm, body));
      return readRow(OfficerTerm, params.term_id);
    },
  ),

  del(
    `${IN_CHAPTER}:term_id/`,
    { ...writes, summary: 'Remove a term that was entered by mistake', params: TermParams, errors: follows },
    async ({ actor, params }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'write', params.id);
      await removeTerm(params.id, params.term_id);
    },
  ),

  post(
    '/api/officer-terms/:id/hand-over/',
    {
      ...writes,
      summary: 'Hand an office over to a successor',
      description: 'One transaction ends the term and begins the next, with its position and title.',
      operationId: 'handOverOffice',
      params: RowParams,
      body: HandOverBody,
      response: OfficerTermJson,
      status: 201,
      errors: [...follows, term_ended, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      authorize(actor, officerTermPolicy, 'write', await loadRow(OfficerTerm, params.id));
      const { successor, effective_on: effectiveOn, ends_on: endsOn } = body;
      return readRow(OfficerTerm, await handOver(params.id, { successor, effectiveOn, endsOn }));
    },
  ),

  get(
    '/api/chapters/:id/succession/',
    {
      ...tenant,
      summary: 'Who leads a chapter, which offices nobody holds, and what is left to do',
      rule: by(officerTermPolicy, 'read_succession'),
      params: RowParams,
      response: SuccessionJson,
    },
    async ({ actor, params }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'read_succession', params.id);
      return readSuccession(params.id);
    },
  ),
];
