import { editRow, lockRow } from '../../../models/database/model/change.js';
import { readRow } from '../../../models/database/model/read.js';
import { found, refuse } from '../../../models/errors.js';
import { subjectOf } from '../../../models/organizations/lifecycle/history.js';
import { MemberProfile } from '../../../models/organizations/profiles/MemberProfile.js';
import { RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, patch } from '../../http/routes.js';
import { memberProfilePolicy } from './policy.js';
import { MemberProfileEdit, MemberProfileJson } from './schema.js';

const PATH = '/api/memberships/:id/profile/';
const tenant = { access: 'tenant', tags: ['organizations'] } as const;

export const profileRoutes = [
  get(
    PATH,
    {
      ...tenant,
      summary: 'What a member says of themselves',
      description:
        'One for each person of the organization, whichever of their memberships asks. For everybody in it. None is there of somebody whose account was deleted.',
      operationId: 'getMemberProfile',
      rule: by(memberProfilePolicy, 'read'),
      params: RowParams,
      response: MemberProfileJson,
    },
    async ({ actor, params }) => {
      const subject = found(await subjectOf(params.id));
      authorize(actor, memberProfilePolicy, 'read', subject);
      return readRow(MemberProfile, { user_id: subject.user_id });
    },
  ),

  patch(
    PATH,
    {
      ...tenant,
      summary: 'Change what a member says of themselves',
      description: 'By the person, and by admins of the organization.',
      operationId: 'changeMemberProfile',
      rule: by(memberProfilePolicy, 'write'),
      params: RowParams,
      body: MemberProfileEdit,
      response: MemberProfileJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      const subject = found(await subjectOf(params.id));
      authorize(actor, memberProfilePolicy, 'write', subject);
      const { user_id } = subject;
      await editRow(await lockRow(MemberProfile, { user_id }), body);
      return readRow(MemberProfile, { user_id });
    },
  ),
];
