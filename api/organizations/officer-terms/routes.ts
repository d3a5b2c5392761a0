import { z } from 'zod';
import { loadRow, readRow } from '../../../models/database/model/read.js';
import { rowJson, toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { recordId } from '../../../models/fields.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { pageOfChapter } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { type BegunOrPlannedTerm, beginOrPlan } from '../../../models/organizations/officer-terms/beginTerm.js';
import { changeTerm, removeTerm } from '../../../models/organizations/officer-terms/changeTerm.js';
import { handOverOrPlan } from '../../../models/organizations/officer-terms/handOver.js';
import { listTerms } from '../../../models/organizations/officer-terms/listTerms.js';
import { PlannedTerm } from '../../../models/organizations/officer-terms/PlannedTerm.js';
import { fileHandOverRequest } from '../../../models/organizations/hand-over-requests/fileHandOverRequest.js';
import { HandOverRequest } from '../../../models/organizations/hand-over-requests/HandOverRequest.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { OfficerTerm } from '../../../models/organizations/officer-terms/OfficerTerm.js';
import { readSuccession } from '../../../models/organizations/officer-terms/readSuccession.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import {
  authorize,
  by,
  may,
  memberOfChapter,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
} from '../../http/policy.js';
import { Answer, del, get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { PlannedTermJson } from '../planned-terms/schema.js';
import {
  HandOverBody,
  OfficerTermCreate,
  OfficerTermEdit,
  OfficerTermFilters,
  OfficerTermJson,
  SuccessionJson,
} from './schema.js';

const ADMINS = [nationalAdmin, regionalAdminOfChapter];

export const officerTermPolicy = policy('officer term', {
  read: [...ADMINS, officerOfChapter, memberOfChapter],
  write: ADMINS,
  /** Request a hand-over, when the actor may not perform it directly. */
  ask_to_hand_over: [officerOfChapter],
  /** Read the succession, including work that is pending for the successor. */
  read_succession: [...ADMINS, officerOfChapter],
});

const tenant = { access: 'tenant', tags: ['organizations'] } as const;
const writes = { ...tenant, rule: by(officerTermPolicy, 'write') } as const;
const IN_CHAPTER = '/api/chapters/:id/officer-terms/';
const TermParams = z.object({ id: recordId, term_id: recordId });
const { chapter_not_active, later_change_exists, not_in_active_standing, office_taken, term_ended } =
  organizationsErrors;
const roleErrors = [not_in_active_standing, later_change_exists];

const presentTerm = async ({ term, planned }: BegunOrPlannedTerm) =>
  term === undefined
    ? new Answer(await readRow(PlannedTerm, planned), { status: 202 })
    : new Answer(await readRow(OfficerTerm, term), { status: 201 });

export const officerTermRoutes = [
  get(
    IN_CHAPTER,
    {
      ...tenant,
      summary: 'List the officer terms of a chapter',
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
      summary: 'Create an officer term',
      description:
        'Sets the role: president for that office, officer for any other. A future start returns 202 with the planned term.',
      params: RowParams,
      body: OfficerTermCreate,
      response: z.union([OfficerTermJson, PlannedTermJson]),
      status: 201,
      alsoStatus: [202],
      errors: [...roleErrors, office_taken, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'write', params.id);
      return presentTerm(await beginOrPlan(params.id, toColumns(OfficerTerm, body)));
    },
  ),

  patch(
    `${IN_CHAPTER}:term_id/`,
    {
      ...writes,
      summary: 'Change or end an officer term',
      params: TermParams,
      body: OfficerTermEdit,
      response: OfficerTermJson,
      errors: [...roleErrors, term_ended, refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'write', params.id);
      await changeTerm(params.id, params.term_id, toColumns(OfficerTerm, body));
      return readRow(OfficerTerm, params.term_id);
    },
  ),

  del(
    `${IN_CHAPTER}:term_id/`,
    {
      ...writes,
      summary: 'Delete an officer term that was entered by mistake',
      description: 'Returns 409 `request_open` while a hand-over request for the office is pending.',
      params: TermParams,
      errors: [...roleErrors, requestErrors.request_open],
    },
    async ({ actor, params }) => {
      await authorizeInChapter(actor, officerTermPolicy, 'write', params.id);
      await removeTerm(params.id, params.term_id);
    },
  ),

  post(
    '/api/officer-terms/:id/hand-over/',
    {
      ...tenant,
      summary: 'Hand an office over to a successor',
      description:
        'One transaction ends the term and begins the next one with the same position and title. A future day returns 202 with the ' +
        'planned term. For an officer of the chapter a request is filed: 202 with the request, which admins of the region or the ' +
        'organization decide.',
      operationId: 'handOverOffice',
      rule: by(officerTermPolicy, 'write', 'ask_to_hand_over'),
      params: RowParams,
      body: HandOverBody,
      response: z.union([OfficerTermJson, PlannedTermJson, rowJson(HandOverRequest)]),
      status: 201,
      alsoStatus: [202],
      errors: [
        ...roleErrors,
        term_ended,
        refuse.duplicate,
        requestErrors.request_open,
        chapter_not_active,
        identityErrors.invitation_open,
      ],
    },
    async ({ actor, params, body }) => {
      const { chapter_id } = await loadRow(OfficerTerm, params.id);
      const { successor, effective_on: effectiveOn, ends_on: endsOn } = body;
      const handOver = { successor, effectiveOn, endsOn };
      if (may(actor, officerTermPolicy, 'write', { chapter_id }))
        return presentTerm(await handOverOrPlan(params.id, handOver));
      authorize(actor, officerTermPolicy, 'ask_to_hand_over', { chapter_id });
      const request = await fileHandOverRequest(params.id, actor.userId, handOver);
      return new Answer(await readRow(HandOverRequest, request), { status: 202 });
    },
  ),

  get(
    '/api/chapters/:id/succession/',
    {
      ...tenant,
      summary: 'Get the officers, vacancies and open work of a chapter',
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
