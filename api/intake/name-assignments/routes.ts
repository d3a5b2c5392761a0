import { lockForEdit } from '../../../models/database/model/change.js';
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
import { authorize, by, chapterManagers, chaptersWithin, nationalAdmin, policy, self } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { BulkReviewBody, OutcomesJson } from '../../organizations/requests.js';
import { NameAssignmentFilters, NameAssignmentJson, NameProposal, NameReviewBody } from './schema.js';

export const nameAssignmentPolicy = policy('name assignment', {
  read: chapterManagers,
  propose: chapterManagers,
  withdraw: [self],
  /** Only the admins of the organization decide. */
  review: [nationalAdmin],
});

const tenant = { access: 'tenant', tags: ['intake'] } as const;
const { own_request, request_closed, request_open } = requestErrors;
const { chapter_not_active, transition_not_allowed } = organizationsErrors;

/** Decides one proposal. @returns its status afterwards */
async function review(actor: Actor, id: string, decision: NameReview): Promise<string> {
  const locked = await lockAssignment(id);
  const { assignment } = locked;
  authorize(actor, nameAssignmentPolicy, 'review', { chapter_id: assignment.chapter_id });
  requireDecidable(assignment, actor.userId, decision.version);
  await reviewName(locked, actor.userId, decision);
  return assignment.status;
}

export const nameAssignmentRoutes = [
  post(
    '/api/pnm/:id/name-assignments/',
    {
      ...tenant,
      summary: 'Propose a name for a prospective member',
      description:
        'Possible from the stage approved on. If another person in the chapter has the name, in any spelling, the answer is 409 name_taken unless confirm_taken is set.',
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
      summary: 'Proposed names',
      description: 'Admins of the organization see all names; others see those of their region or chapter.',
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
      summary: 'Decide several proposed names at once',
      description: 'Each name is decided on its own: a refused one does not affect the others.',
      operationId: 'reviewNameAssignments',
      rule: by(nameAssignmentPolicy, 'review'),
      params: OrganizationParams,
      body: BulkReviewBody,
      response: OutcomesJson,
    },
    async ({ actor, body: { ids, ...decision } }) => {
      // A user who may decide nowhere is refused as a whole.
      chaptersWithin(actor, nameAssignmentPolicy, 'review');
      return reviewMany(ids, (id) => review(actor, id, { ...decision, confirmsTaken: false }));
    },
  ),

  post(
    '/api/name-assignments/:id/review/',
    {
      ...tenant,
      summary: 'Decide a proposed name',
      description: 'Approval makes the person cross; a person who has already crossed only gets the name.',
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
      const { confirm_taken: confirmsTaken, crossed_at: crossedAt, membership_status, line_number, ...decision } = body;
      const crossing = { crossedAt, membershipStatus: membership_status, lineNumber: line_number };
      await review(actor, params.id, { ...decision, confirmsTaken, ...crossing });
      return readRow(NameAssignment, params.id);
    },
  ),

  post(
    '/api/name-assignments/:id/withdraw/',
    {
      ...tenant,
      summary: 'Withdraw a name that you proposed',
      operationId: 'withdrawNameAssignment',
      rule: by(nameAssignmentPolicy, 'withdraw'),
      params: RowParams,
      response: NameAssignmentJson,
      errors: [request_closed],
    },
    async ({ actor, params }) => {
      const assignment = await lockForEdit(NameAssignment, params.id);
      authorize(actor, nameAssignmentPolicy, 'withdraw', { user_id: assignment.requested_by });
      await withdrawRequest(nameAssignments, assignment);
      return readRow(NameAssignment, params.id);
    },
  ),
];
