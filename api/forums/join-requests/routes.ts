import { z } from 'zod';
import { moment, recordId, text } from '../../../models/fields.js';
import { refuse } from '../../../models/errors.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { decideJoinRequest, requesterOf, requestToJoin } from '../../../models/forums/join-requests/joinRequests.js';
import { listForumPeople, readForumPerson } from '../../../models/forums/members/readMembers.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, forumModerator, policy } from '../../http/policy.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { inForum, lockInForum } from '../access.js';
import { forum_archived, ForumParams, forums, person } from '../fields.js';

export const requestPolicy = policy('forum join request', {
  read: [forumModerator],
  /** Whether they may is decided by their memberships. */
  request: [anyone],
  decide: [forumModerator],
});

const words = text(1000).nullable().optional();

const JoinRequestJson = z
  .object({
    ...person,
    status: z.enum(['requested', 'active', 'rejected']).meta({ description: '`active`: approved.' }),
    message: z.string().nullable(),
    requested_at: moment,
    decided_by: z.uuid().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'ForumJoinRequest' });

const RequestBody = z
  .object({ message: words })
  .meta({ id: 'ForumJoinRequestCreate', example: { message: 'I live in the house.' } });
const DecisionBody = z
  .object({ decision: z.enum(['approve', 'reject']), note: words.meta({ description: 'For the requester.' }) })
  .meta({ id: 'ForumJoinRequestDecision', example: { decision: 'approve' } });

const inOneForum = { ...forums, params: ForumParams };

export const forumJoinRequestRoutes = routes('/api/forums/:forum_id/join-requests', [
  get(
    '/',
    {
      ...inOneForum,
      summary: 'List the waiting requests to join a forum, the earliest first',
      rule: by(requestPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(JoinRequestJson),
    },
    async ({ actor, params, query, request }) => {
      await inForum(actor, params.forum_id, requestPolicy, 'read');
      const page = await listForumPeople('request', params.forum_id, pageRequest(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      ...inOneForum,
      summary: 'Request to join a forum',
      description:
        'For a forum with the visibility `approval_required`. While a request waits, the answer is 200 with that one.',
      rule: by(requestPolicy, 'request'),
      body: RequestBody,
      response: JoinRequestJson,
      status: 201,
      alsoStatus: [200],
      errors: [forum_archived, forumErrors.already_forum_member, forumErrors.forum_not_requestable],
    },
    async ({ actor, params, body }) => {
      authorize(actor, requestPolicy, 'request');
      const { id, isNew } = await requestToJoin(params.forum_id, actor.userId, body.message ?? null);
      return new Answer(await readForumPerson('request', id), { status: isNew ? 201 : 200 });
    },
  ),

  post(
    '/:id/decide/',
    {
      ...forums,
      summary: 'Decide a request to join a forum',
      operationId: 'decideForumJoinRequest',
      rule: by(requestPolicy, 'decide'),
      params: ForumParams.extend({ id: recordId }),
      body: DecisionBody,
      response: JoinRequestJson,
      errors: [forum_archived, forumErrors.already_decided],
    },
    async ({ actor, params, body }) => {
      await inForum(actor, params.forum_id, requestPolicy, 'decide');
      const requester = await requesterOf(params.forum_id, params.id);
      if (requester === actor.userId) throw refuse.forbidden('Another moderator decides your own request.');
      await lockInForum(actor, params.forum_id, requestPolicy, 'decide', requester);
      const decision = { by: actor.userId, approves: body.decision === 'approve', note: body.note ?? null };
      await decideJoinRequest(params.forum_id, params.id, decision);
      return readForumPerson('request', params.id);
    },
  ),
]);
