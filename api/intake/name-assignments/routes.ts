import { lockRow } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { nameAssignments } from '../../../models/intake/name-assignments/kind.js';
import { NameAssignment } from '../../../models/intake/name-assignments/NameAssignment.js';
import { proposeName } from '../../../models/intake/name-assignments/proposeName.js';
import { lockAssignment, type NameReview, reviewName } from '../../../models/intake/name-assignments/reviewName.js';
import { lockProspect } from '../../../models/intake/pnm/moveProspect.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requireDecidable, withdrawRequest } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { listRequests } from '../../../models/organizations/requests/listRequests.js';
import { reviewMany } from '../../../models/organizations/requests/reviewMany.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, chaptersWithin } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { BulkReviewBody, OutcomesJson } from '../../organizations/requests.js';
import { nameAssignmentPolicy } from './policy.js';
import { NameAssignmentFilters, NameAssignmentJson, NameProposal, NameReviewBody } from './schema.js';

const tenant = { access: 'tenant', tags: ['intake'] } as const;
const { own_request, request_closed, request_open } = requestErrors;
const { chapter_not_active, transition_not_allowed } = organizationsErrors;

/** @returns its status afterwards */
async function review(actor: Actor, id: string, said: NameReview): Promise<string> {
  const locked = await lockAssignment(id);
  const { assignment } = locked;
  authorize(actor, nameAssignmentPolicy, 'review', { chapter_id: assignment.chapter_id });
  requireDecidable(assignment, actor.userId, said.version);
  await reviewName(locked, actor.userId, said);
  return assignment.status;
}

export const nameAssignmentRoutes = [
  post(
    '/api/pnm/:id/name-assignments/',
    {
      ...tenant,
      summary: 'Propose a name for a prospective member',
      description:
        'From stage approved on. Taken in the chapter, however it is written: 409 name_taken unless that is confirmed.',
      operationId: 'createNameAssignment',
      rule: by(nameAssignmentPolicy, 'propose'),
      params: RowParams,
      body: NameProposal,
      response: NameAssignmentJson,
      status: 201,
      errors: [intakeErrors.name_taken, request_open, transition_not_allowed, chapter_not_active],
    },
    async ({ actor, params, body: { name, confirm_taken: confirmsTaken } }) => {
      const { profile } = await lockProspect(params.id);
      authorize(actor, nameAssignmentPolicy, 'propose', { chapter_id: profile.chapter_id });
      return readRow(NameAssignment, await proposeName(profile, actor.userId, { name, confirmsTaken }));
    },
  ),

  get(
    '/api/organizations/:organization_id/name-assignments/',
    {
      ...tenant,
      summary: 'Names that were proposed',
      description: 'All for admins of the organization, else those of your region or chapter.',
      rule: by(nameAssignmentPolicy, 'read'),
      params: OrganizationParams,
      query: NameAssignmentFilters,
      response: pageOf(NameAssignmentJson),
    },
    async ({ actor, query, request }) => {
      const chapters = chaptersWithin(actor, nameAssignmentPolicy, 'read');
      const list = { chapters, status: query.status, orderBy: query.ordering, ...pageRequest(query) };
      return presentPage(await listRequests<never>(NameAssignment, list), query, request, (row) => row);
    },
  ),

  post(
    '/api/organizations/:organization_id/name-assignments/bulk-review/',
    {
      ...tenant,
      summary: 'Decide many proposed names alike',
      description: 'Each by itself: one that is refused keeps back no other.',
      operationId: 'reviewNameAssignments',
      rule: by(nameAssignmentPolicy, 'review'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...said } }) => {
      // Whoever decides nothing anywhere is refused as a whole.
      chaptersWithin(actor, nameAssignmentPolicy, 'review');
      return reviewMany(ids, (id) => review(actor, id, { ...said, confirmsTaken: false }));
    },
  ),

  post(
    '/api/name-assignments/:id/review/',
    {
      ...tenant,
      summary: 'Decide a proposed name',
      description: 'Approved, the person crosses; who has crossed already gets the name only.',
      operationId: 'reviewNameAssignment',
      rule: by(nameAssignmentPolicy, 'review'),
      params: RowParams,
      body: NameReviewBody,
      response: NameAssignmentJson,
      errors: [
        own_request,
        request_closed,
        refuse.stale_version,
        intakeErrors.name_taken,
        transition_not_allowed,
        chapter_not_active,
      ],
    },
    async ({ actor, params, body }) => {
      const { confirm_taken: confirmsTaken, crossed_at: crossedAt, membership_status, line_number, ...said } = body;
      const crossing = { crossedAt, membershipStatus: membership_status, lineNumber: line_number };
      await review(actor, params.id, { ...said, confirmsTaken, ...crossing });
      return readRow(NameAssignment, params.id);
    },
  ),

  post(
    '/api/name-assignments/:id/withdraw/',
    {
      ...tenant,
      summary: 'Take back a name that you proposed',
      operationId: 'withdrawNameAssignment',
      rule: by(nameAssignmentPolicy, 'withdraw'),
      params: RowParams,
      response: NameAssignmentJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const assignment = await lockRow(NameAssignment, params.id);
      authorize(actor, nameAssignmentPolicy, 'withdraw', { user_id: assignment.requested_by });
      await withdrawRequest(nameAssignments, assignment);
      return readRow(NameAssignment, params.id);
    },
  ),
];
