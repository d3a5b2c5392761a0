import { editRow, lockForEdit } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { findMembershipSubject } from '../../../models/organizations/lifecycle/history.js';
import { MemberProfile } from '../../../models/organizations/profiles/MemberProfile.js';
import { RowParams } from '../../http/params.js';
import { anyone, authorize, by, nationalAdmin, policy, self } from '../../http/policy.js';
import { get, patch } from '../../http/routes.js';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';

const MemberProfileEdit = editBody(MemberProfile);

const MemberProfileJson = rowJson(MemberProfile);

export const memberProfilePolicy = policy('member profile', {
  /**
   * Any member of the organization may read profiles. Demographics are stored separately, because not everyone may read
   * them (spec).
   */
  read: [anyone],
  write: [nationalAdmin, self],
});

const PATH = '/api/memberships/:id/profile/';
const tenant = { access: 'tenant', tags: ['organizations'] } as const;

export const profileRoutes = [
  get(
    PATH,
    {
      ...tenant,
      summary: 'Get the profile of a member',
      description:
        'Each person has one profile per organization, shared by all their memberships. Every member of the organization may read it. Deleted accounts have no profile.',
      operationId: 'getMemberProfile',
      rule: by(memberProfilePolicy, 'read'),
      params: RowParams,
      response: MemberProfileJson,
    },
    async ({ actor, params }) => {
      const subject = requireFound(await findMembershipSubject(params.id));
      authorize(actor, memberProfilePolicy, 'read', subject);
      return readRow(MemberProfile, { user_id: subject.user_id });
    },
  ),

  patch(
    PATH,
    {
      ...tenant,
      summary: 'Change the profile of a member',
      description: 'For the person and for admins of the organization.',
      operationId: 'changeMemberProfile',
      rule: by(memberProfilePolicy, 'write'),
      params: RowParams,
      body: MemberProfileEdit,
      response: MemberProfileJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      const subject = requireFound(await findMembershipSubject(params.id));
      authorize(actor, memberProfilePolicy, 'write', subject);
      const { user_id } = subject;
      await editRow(await lockForEdit(MemberProfile, { user_id }), body);
      return readRow(MemberProfile, { user_id });
    },
  ),
];
