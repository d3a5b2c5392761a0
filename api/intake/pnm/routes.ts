import type { z } from 'zod';
import { pageStatement, type PageText } from '../../../models/database/page.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { readCrossingOf } from '../../../models/intake/crossings/revertCrossing.js';
import { addProspect } from '../../../models/intake/pnm/addProspect.js';
import { editProspect } from '../../../models/intake/pnm/editProspect.js';
import { lockProspect, moveProspect } from '../../../models/intake/pnm/moveProspect.js';
import { listProspects, queuePage, readProspect } from '../../../models/intake/pnm/readProspects.js';
import { chapterExists, pageOfChapter } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { pageAsText, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { CrossingJson } from '../crossings/routes.js';
import { authorityOf, pnmPolicy } from './policy.js';
import { ProspectCreate, ProspectEdit, ProspectJson, QueueEntryJson, QueueFilters, StageMoveBody } from './schema.js';

const tenant = { access: 'tenant', tags: ['intake'] } as const;
const reads = { ...tenant, rule: by(pnmPolicy, 'read') } as const;
const writes = { ...tenant, rule: by(pnmPolicy, 'write') } as const;

/** Returns null for filters that read the whole intake: these run only after the authorization. */
const speculativeStatement = ({
  search,
  flagged,
  unverified,
  missing,
  ...query
}: z.output<typeof QueueFilters> & { chapter?: string }) =>
  [search, flagged, unverified, missing].some((value) => value !== undefined)
    ? null
    : pageStatement(queuePage({ ...query, ...pageRequest(query) }));

export const pnmRoutes = [
  get(
    '/api/organizations/:organization_id/pnm/',
    {
      ...reads,
      summary: 'Prospective members of all chapters; the newest first',
      params: OrganizationParams,
      query: QueueFilters,
      response: pageOf(QueueEntryJson),
      singleMessageRead: {
        statement: ({ query }) => speculativeStatement(query),
        answer: ({ actor, query, request }, row) =>
          may(actor, pnmPolicy, 'read') ? pageAsText(row as unknown as PageText, query, request) : null,
      },
    },
    async ({ actor, query, request }) => {
      authorize(actor, pnmPolicy, 'read');
      return presentPage(await listProspects({ ...query, ...pageRequest(query) }), query, request, (one) => one);
    },
  ),

  get(
    '/api/chapters/:id/pnm/',
    {
      ...reads,
      summary: 'Prospective members of a chapter; the newest first',
      params: RowParams,
      query: QueueFilters,
      response: pageOf(QueueEntryJson),
      singleMessageRead: {
        statement: ({ params: { id: chapter }, query }) => speculativeStatement({ ...query, chapter }),
        answer: ({ actor, params, query, request }, row) =>
          may(actor, pnmPolicy, 'read', { chapter_id: params.id })
            ? pageAsText(row as unknown as PageText, query, request)
            : null,
      },
    },
    async ({ actor, params: { id: chapter }, query, request }) => {
      await authorizeInChapter(actor, pnmPolicy, 'read', chapter);
      const page = await pageOfChapter(chapter, listProspects({ ...query, chapter, ...pageRequest(query) }));
      return presentPage(page, query, request, (one) => one);
    },
  ),

  post(
    '/api/chapters/:id/pnm/',
    {
      ...writes,
      summary: 'Add a prospective member',
      description:
        'A person who is not known here is mailed an invitation. Prospective members have no access before they cross.',
      operationId: 'createProspect',
      params: RowParams,
      body: ProspectCreate,
      response: ProspectJson,
      status: 201,
      errors: [organizationsErrors.membership_exists, organizationsErrors.chapter_not_active],
    },
    async ({ actor, params, body: { email, first_name, last_name, ...answers } }) => {
      await authorizeInChapter(actor, pnmPolicy, 'write', params.id);
      if (!(await chapterExists(params.id))) throw refuse.not_found();
      const id = await addProspect(params.id, { email, first_name, last_name }, answers);
      return requireFound(await readProspect(id));
    },
  ),

  get(
    '/api/pnm/:id/',
    { ...reads, summary: 'A prospective member', params: RowParams, response: ProspectJson },
    async ({ actor, params }) => {
      const prospect = requireFound(await readProspect(params.id));
      authorize(actor, pnmPolicy, 'read', { chapter_id: prospect.chapter });
      return prospect;
    },
  ),

  patch(
    '/api/pnm/:id/',
    {
      ...writes,
      summary: 'Edit a prospective member',
      description: 'Values that were carried to the records of a member do not change there.',
      params: RowParams,
      body: ProspectEdit,
      response: ProspectJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      const { membership, profile } = await lockProspect(params.id);
      authorize(actor, pnmPolicy, 'write', { chapter_id: membership.chapter_id });
      await editProspect(profile, body);
      return requireFound(await readProspect(params.id));
    },
  ),

  post(
    '/api/pnm/:id/transition/',
    {
      ...writes,
      summary: 'Move a prospective member to another stage',
      description:
        'With `completed` the person crosses: they become a member who may sign in, and a process copies their answers to the empty fields of their records. 409 transition_not_allowed lists the possible stages.',
      operationId: 'moveProspect',
      params: RowParams,
      body: StageMoveBody,
      response: ProspectJson,
      errors: [
        refuse.stale_version,
        organizationsErrors.transition_not_allowed,
        intakeErrors.intake_not_ready,
        organizationsErrors.chapter_not_active,
        intakeErrors.already_crossed,
      ],
    },
    async ({ actor, params, body }) => {
      const prospect = await lockProspect(params.id);
      authorize(actor, pnmPolicy, 'write', { chapter_id: prospect.membership.chapter_id });
      const { crossed_at: crossedAt, membership_status: membershipStatus, line_number: lineNumber, ...rest } = body;
      const { notify_applicant: notifyApplicant, ...move } = rest;
      await moveProspect(
        prospect,
        { ...move, crossedAt, membershipStatus, lineNumber, notifyApplicant },
        authorityOf(actor),
      );
      return requireFound(await readProspect(params.id));
    },
  ),

  get(
    '/api/pnm/:id/crossing/',
    {
      ...reads,
      summary: 'The crossing of a prospective member, with the outcome for each field',
      params: RowParams,
      response: CrossingJson,
    },
    async ({ actor, params }) => {
      const { chapter, membership } = requireFound(await readProspect(params.id));
      authorize(actor, pnmPolicy, 'read', { chapter_id: chapter });
      return readCrossingOf(membership);
    },
  ),
];
