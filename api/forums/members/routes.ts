import { z } from 'zod';
import { version } from '../../../models/fields.js';
import { moment, seenVersion } from '../../../models/fields.js';
import { refuse } from '../../../models/errors.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { lockForum } from '../../../models/forums/forums/forumAccess.js';
import { readForum } from '../../../models/forums/forums/readForums.js';
import { changeRole, leaveForum, lockMember, removeMember } from '../../../models/forums/members/changeMembers.js';
import { joinForum } from '../../../models/forums/members/joinForum.js';
import { listForumPeople, readForumPerson } from '../../../models/forums/members/readMembers.js';
import { recordId } from '../../../models/fields.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, forumAdmin, forumModerator, forumReader, policy } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { inForum, lockInForum } from '../access.js';
import { forum_archived, ForumParams, forums, last_forum_admin, memberRole, person } from '../fields.js';
import { ForumJson } from '../forums/schema.js';

const memberPolicy = policy('forum member', {
  read: [forumReader],
  /** Whether they may is decided by their memberships, not by their role in the forum. */
  join: [anyone],
  leave: [forumReader],
  remove: [forumModerator],
  removeModerator: [forumAdmin],
  write: [forumAdmin],
});

const MemberJson = z.object({ ...person, role: memberRole, joined_at: moment, version }).meta({ id: 'ForumMember' });
const MemberEdit = z
  .object({ role: memberRole, version: seenVersion })
  .meta({ id: 'ForumMemberEdit', example: { role: 'moderator', version: 1 } });
const MemberParams = ForumParams.extend({ id: recordId });
const inOneForum = { ...forums, params: ForumParams };
const ofMember = { ...forums, params: MemberParams };

export const forumMemberRoutes = routes('/api/forums/:forum_id', [
  post(
    '/join/',
    {
      ...inOneForum,
      summary: 'Join an open forum',
      description: 'Also after you left it. Repeating the request changes nothing.',
      operationId: 'joinForum',
      rule: by(memberPolicy, 'join'),
      response: ForumJson,
      errors: [forum_archived, forumErrors.forum_removed, forumErrors.forum_not_open],
    },
    async ({ actor, params }) => {
      authorize(actor, memberPolicy, 'join');
      await joinForum(params.forum_id, actor.userId);
      return readForum(params.forum_id, actor.userId);
    },
  ),

  del(
    '/membership/',
    {
      ...inOneForum,
      summary: 'Leave a forum',
      description: 'You can still read an open forum; reading does not make you a member again.',
      operationId: 'leaveForum',
      rule: by(memberPolicy, 'leave'),
      errors: [last_forum_admin],
    },
    async ({ actor, params }) => {
      await inForum(actor, params.forum_id, memberPolicy, 'leave');
      await lockForum(params.forum_id);
      await leaveForum(params.forum_id, actor.userId, actor.isNationalAdmin);
    },
  ),

  get(
    '/members/',
    {
      ...inOneForum,
      summary: 'List the members of a forum, the earliest first',
      rule: by(memberPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(MemberJson),
    },
    async ({ actor, params, query, request }) => {
      await inForum(actor, params.forum_id, memberPolicy, 'read');
      const page = await listForumPeople('member', params.forum_id, pageRequest(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),

  patch(
    '/members/:id/',
    {
      ...ofMember,
      summary: 'Change the role of a member',
      rule: by(memberPolicy, 'write'),
      body: MemberEdit,
      response: MemberJson,
      errors: [refuse.stale_version, forum_archived, last_forum_admin],
    },
    async ({ actor, params, body }) => {
      await lockInForum(actor, params.forum_id, memberPolicy, 'write');
      const member = await lockMember(params.forum_id, params.id);
      await changeRole(member, { role: body.role, version: body.version }, actor.isNationalAdmin);
      return readForumPerson('member', params.id);
    },
  ),

  del(
    '/members/:id/',
    {
      ...ofMember,
      summary: 'Remove a member',
      description:
        'Moderators remove members; forum admins remove also moderators and admins. A removed person comes back by an invitation or an approved request.',
      rule: by(memberPolicy, 'remove', 'removeModerator'),
      errors: [forum_archived, last_forum_admin],
    },
    async ({ actor, params }) => {
      const access = await lockInForum(actor, params.forum_id, memberPolicy, 'remove');
      const member = await lockMember(params.forum_id, params.id);
      if (member.user_id === actor.userId) return leaveForum(params.forum_id, actor.userId, actor.isNationalAdmin);
      if (member.role !== 'member') authorize(actor, memberPolicy, 'removeModerator', access);
      await removeMember(member, actor.isNationalAdmin);
    },
  ),
]);
