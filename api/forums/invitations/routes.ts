import { z } from 'zod';
import { moment, recordId } from '../../../models/fields.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { readForum } from '../../../models/forums/forums/readForums.js';
import {
  acceptForumInvitation,
  declineForumInvitation,
  inviteToForum,
} from '../../../models/forums/invitations/invitations.js';
import { requireInOrganization } from '../../../models/forums/members/changeMembers.js';
import { listForumPeople, readForumPerson } from '../../../models/forums/members/readMembers.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, forumAdmin, forumModerator, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { inForum, lockInForum } from '../access.js';
import { forum_archived, ForumParams, forums, memberRole, person } from '../fields.js';
import { ForumJson } from '../forums/schema.js';

const invitationPolicy = policy('forum invitation', {
  read: [forumModerator],
  invite: [forumAdmin],
  /** The invited person, who is part of the look-up. */
  answer: [anyone],
});

const InvitationJson = z
  .object({
    ...person,
    role: memberRole,
    invited_by: z.uuid().nullable(),
    invited_at: moment,
    expires_at: moment,
  })
  .meta({ id: 'ForumInvitation' });

const InvitationCreate = z
  .object({
    user: recordId.meta({ description: 'A person with access to the organization.' }),
    role: memberRole.default('member'),
  })
  .meta({ id: 'ForumInvitationCreate', example: { user: '01900000-0000-7000-8000-000000000000', role: 'member' } });

const inOneForum = { ...forums, params: ForumParams };
const answers = {
  ...forums,
  rule: by(invitationPolicy, 'answer'),
  params: ForumParams.extend({ id: recordId }),
  errors: [forumErrors.forum_invitation_closed],
};

export const forumInvitationRoutes = routes('/api/forums/:forum_id/invitations', [
  get(
    '/',
    {
      ...inOneForum,
      summary: 'List the open invitations to a forum, the earliest first',
      rule: by(invitationPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(InvitationJson),
    },
    async ({ actor, params, query, request }) => {
      await inForum(actor, params.forum_id, invitationPolicy, 'read');
      const page = await listForumPeople('invitation', params.forum_id, pageRequest(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      ...inOneForum,
      summary: 'Invite a person to a forum',
      description: 'The invitation is valid for 30 days. Inviting the person again renews it.',
      rule: by(invitationPolicy, 'invite'),
      body: InvitationCreate,
      response: InvitationJson,
      status: 201,
      errors: [forum_archived, forumErrors.already_forum_member],
    },
    async ({ actor, params, body }) => {
      await lockInForum(actor, params.forum_id, invitationPolicy, 'invite', body.user);
      await requireInOrganization(body.user);
      const id = await inviteToForum(params.forum_id, { ...body, by: actor.userId });
      return readForumPerson('invitation', id);
    },
  ),

  post(
    '/:id/accept/',
    {
      ...answers,
      summary: 'Accept an invitation to a forum',
      response: ForumJson,
      errors: [...answers.errors, forum_archived],
    },
    async ({ actor, params }) => {
      authorize(actor, invitationPolicy, 'answer');
      await acceptForumInvitation(params.forum_id, params.id, actor.userId);
      return readForum(params.forum_id, actor.userId);
    },
  ),

  post('/:id/decline/', { ...answers, summary: 'Decline an invitation to a forum' }, async ({ actor, params }) => {
    authorize(actor, invitationPolicy, 'answer');
    await declineForumInvitation(params.forum_id, params.id, actor.userId);
  }),
]);
