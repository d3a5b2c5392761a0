import { z } from 'zod';
import { readRow } from '../../../models/database/model/read.js';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { nameAssignments } from '../../../models/intake/name-assignments/kind.js';
import { NameAssignment } from '../../../models/intake/name-assignments/NameAssignment.js';
import { proposeName } from '../../../models/intake/name-assignments/proposeName.js';
import { lockAssignment, reviewName } from '../../../models/intake/name-assignments/reviewName.js';
import { lockProspect } from '../../../models/intake/pnm/moveProspect.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requireDecidable } from '../../../models/organizations/requests/decide.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, chapterManagers, nationalAdmin, policy, self } from '../../http/policy.js';
import { post, routes } from '../../http/routes.js';
import { reviewBody } from '../../organizations/requests.js';
import { reviewableRequest } from '../../organizations/reviewableRequest.js';
import { crossingFields } from '../pnm/schema.js';

export const nameAssignmentPolicy = policy('name assignment', {
  read: chapterManagers,
  propose: chapterManagers,
  withdraw: [self],
  /** Only the admins of the organization decide. */
  review: [nationalAdmin],
});

const tenant = { access: 'tenant', tags: ['intake'] } as const;
const { chapter_not_active, transition_not_allowed } = organizationsErrors;

const confirm_taken = z
  .boolean()
  .default(false)
  .meta({ description: 'Allows a name that another person in the chapter has.' });

const NameProposal = z
  .strictObject({ ...createBody(NameAssignment).shape, confirm_taken })
  .meta({ id: 'NameProposal' });

const requests = reviewableRequest(nameAssignments, {
  policy: nameAssignmentPolicy,
  tags: tenant.tags,
  reviewedBy: ['review'],
  body: reviewBody('NameReview', { confirm_taken, ...crossingFields }),
  rowParams: RowParams,
  async review(
    actor,
    id,
    { confirm_taken: confirmsTaken = false, crossed_at, membership_status, line_number, ...decision },
  ) {
    const locked = await lockAssignment(id);
    const { assignment } = locked;
    authorize(actor, nameAssignmentPolicy, 'review', { chapter_id: assignment.chapter_id });
    requireDecidable(assignment, actor.userId, decision.version);
    const crossing = { crossedAt: crossed_at, membershipStatus: membership_status, lineNumber: line_number };
    await reviewName(locked, actor.userId, { ...decision, confirmsTaken, ...crossing });
    return assignment.status;
  },
});

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
      response: rowJson(NameAssignment),
      status: 201,
      errors: [intakeErrors.name_taken, requestErrors.request_open, transition_not_allowed, chapter_not_active],
    },
    async ({ actor, params, body: { name, confirm_taken: confirmsTaken } }) => {
      const { profile } = await lockProspect(params.id);
      authorize(actor, nameAssignmentPolicy, 'propose', { chapter_id: profile.chapter_id });
      return readRow(NameAssignment, await proposeName(profile, actor.userId, { name, confirmsTaken }));
    },
  ),

  ...routes('/api/organizations/:organization_id/name-assignments', [
    requests.list({
      summary: 'Proposed names',
      description: 'Admins of the organization see all names; others see those of their region or chapter.',
    }),
    requests.reviewSeveral({
      summary: 'Decide several proposed names at once',
      description: 'Each name is decided on its own: a refused one does not affect the others.',
    }),
  ]),

  ...routes('/api/name-assignments', [
    requests.review({
      summary: 'Decide a proposed name',
      description: 'Approval makes the person cross; a person who has already crossed only gets the name.',
      errors: [refuse.stale_version, intakeErrors.name_taken, transition_not_allowed, chapter_not_active],
    }),
    requests.withdraw({ summary: 'Withdraw a name that you proposed' }),
  ]),
];
