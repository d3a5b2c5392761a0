import { z } from 'zod';
import { moment } from '../../../models/fields.js';
import { refuse } from '../../../models/errors.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { APPROVAL_KINDS, APPROVAL_TIERS, readApprovals } from '../../../models/organizations/readApprovals.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { by, chapterManagers, chaptersWithin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';

const approvalPolicy = policy('approvals', { read: chapterManagers });

const ApprovalsJson = z.array(
  z
    .object({
      kind: z.enum(APPROVAL_KINDS).meta({ description: 'Kind of request.', example: 'member_add' }),
      tier: z.enum(APPROVAL_TIERS).meta({ description: 'The tier that decides the request.', example: 'regional' }),
      count: z.int(),
      oldest_at: moment.meta({ description: 'Time since which the oldest request has been pending in this tier.' }),
    })
    .meta({ id: 'Approvals' }),
);

const shared = {
  access: 'tenant',
  tags: ['organizations'],
  rule: by(approvalPolicy, 'read'),
  response: ApprovalsJson,
} as const;

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
