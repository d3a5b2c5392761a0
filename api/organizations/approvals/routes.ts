import { z } from 'zod';
import { moment, recordId } from '../../../models/fields.js';
import { refuse } from '../../../models/errors.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import {
  APPROVAL_KINDS,
  APPROVAL_TIERS,
  listApprovals,
  readApprovals,
} from '../../../models/organizations/readApprovals.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { by, chapterManagers, chaptersWithin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { presentApprovals } from './reviewRules.js';

const approvalPolicy = policy('approvals', { read: chapterManagers });

const kindField = z.enum(APPROVAL_KINDS).meta({ description: 'Kind of request.', example: 'member_add' });
const tierField = z
  .enum(APPROVAL_TIERS)
  .meta({ description: 'The tier that decides the request.', example: 'regional' });

const ApprovalsJson = z.array(
  z
    .object({
      kind: kindField,
      tier: tierField,
      count: z.int(),
      oldest_at: moment.meta({ description: 'Time since which the oldest request has been pending in this tier.' }),
    })
    .meta({ id: 'Approvals' }),
);

const ApprovalFilters = z.object({
  ...pageQuery,
  kind: z.enum(APPROVAL_KINDS).optional(),
  chapter: recordId.optional(),
  ordering: ordering({ since: 'a.since', expires_at: 'a.expires_at' }, 'since', ['expires_at']),
});

const ApprovalJson = z
  .object({
    kind: kindField,
    id: z.uuid().meta({ description: 'Id of the request in its queue, where it is decided.' }),
    tier: tierField,
    chapter: z.uuid().nullable().meta({ description: 'For a transfer, the new chapter.' }),
    chapter_name: z.string().nullable(),
    requested_by: z.uuid().nullable().meta({
      description:
        'Null without an account, and for refund and plan requests that you may not read. For a plan request, the member concerned.',
    }),
    title: z.string().meta({ description: 'Contains no amounts.', example: 'New member Sam Lee' }),
    since: moment.meta({ description: 'Time since which the request has been pending in this tier.' }),
    expires_at: moment
      .nullable()
      .meta({ description: 'When a refund request expires, or when the freeze of a plan request ends.' }),
    may_decide: z.boolean(),
    why_not: z
      .object({ code: z.string(), detail: z.string() })
      .nullable()
      .meta({ description: 'The refusal that a review by you would return; null if you may decide.' }),
  })
  .meta({ id: 'PendingApproval' });

const secured = { access: 'tenant', tags: ['organizations'], rule: by(approvalPolicy, 'read') } as const;
const shared = { ...secured, response: ApprovalsJson } as const;

export const approvalRoutes = [
  get(
    '/api/organizations/:organization_id/approvals/',
    {
      ...shared,
      summary: 'Count pending requests by kind and tier',
      description:
        'Covers all chapters for admins of the organization, otherwise those of your region or chapter. Kinds without pending requests are omitted.',
      params: OrganizationParams,
    },
    ({ actor }) => readApprovals(chaptersWithin(actor, approvalPolicy, 'read'), actor.isNationalAdmin),
  ),

  get(
    '/api/organizations/:organization_id/approvals/items/',
    {
      ...secured,
      summary: 'List pending requests of all queues, the oldest first',
      description: 'Lists the requests that are counted for you. Decide a request in its own queue.',
      operationId: 'listPendingApprovals',
      params: OrganizationParams,
      query: ApprovalFilters,
      response: pageOf(ApprovalJson),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, approvalPolicy, 'read');
      const { kind, chapter, ordering: orderBy } = query;
      const filters = { chapters, all: actor.isNationalAdmin, kind, chapter, orderBy };
      const { count, results } = await listApprovals({ ...filters, ...pageRequest(query) });
      const presented = { count, results: await presentApprovals(actor, results) };
      return presentPage(presented, query, request, (row) => row);
    },
  ),

  get(
    '/api/chapters/:id/approvals/',
    {
      ...shared,
      summary: 'Count pending requests of a chapter by kind and tier',
      operationId: 'listChapterApprovals',
      params: RowParams,
    },
    async ({ actor, params }) => {
      await authorizeInChapter(actor, approvalPolicy, 'read', params.id);
      const waiting = await readApprovals([params.id], actor.isNationalAdmin);
      if (waiting.length === 0 && !(await chapterExists(params.id))) throw refuse.not_found();
      return waiting;
    },
  ),
];
