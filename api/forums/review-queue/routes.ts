import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { recordId } from '../../../models/fields.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { decideCase, loadCase } from '../../../models/forums/review-queue/decideCase.js';
import { listCases, readCase } from '../../../models/forums/review-queue/readCases.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, forumModerator, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { inForum } from '../access.js';
import { forum_archived, forums } from '../fields.js';
import { CaseDecision, CaseDetailJson, CaseJson } from './schema.js';

export const forumCasePolicy = policy('forum case', {
  /** Lists only cases of forums that the person moderates. */
  list: [anyone],
  /** Moderators, except the author of the text. */
  decide: [forumModerator],
});

const ofCase = { ...forums, params: z.object({ case_id: recordId }), rule: by(forumCasePolicy, 'decide') };

/** Requires that the actor moderates the forum of a case, and is not the author of its text. */
async function requireCase(actor: Actor, id: string): Promise<void> {
  const { forum_id, author_id } = await loadCase(id);
  await inForum(actor, forum_id, forumCasePolicy, 'decide');
  if (author_id === actor.userId) throw refuse.forbidden('Another moderator decides about your own text.');
}

export const reviewQueueRoutes = routes('/api/forums/review-queue', [
  get(
    '/',
    {
      ...forums,
      summary: 'List the texts that wait for a decision in your forums, the oldest first',
      description: 'In forums that you moderate, by role or office. Admins of the organization see appeals as well.',
      rule: by(forumCasePolicy, 'list'),
      query: z.object(pageQuery),
      response: pageOf(CaseJson),
      operationId: 'listForumCases',
    },
    async ({ actor, query, request }) => {
      authorize(actor, forumCasePolicy, 'list');
      const page = await listCases(actor.userId, actor.isNationalAdmin, pageRequest(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),

  get(
    '/:case_id/',
    {
      ...ofCase,
      summary: 'Get a case with its text and flags',
      description: 'Not for the author of the text, who does not learn who flagged it.',
      response: CaseDetailJson,
      operationId: 'getForumCase',
    },
    async ({ actor, params }) => {
      await requireCase(actor, params.case_id);
      return readCase(params.case_id, actor.userId);
    },
  ),

  post(
    '/:case_id/decide/',
    {
      ...ofCase,
      summary: 'Approve or remove a text, or decide an appeal',
      description:
        'The decision ends the case for all who could decide. Its author may appeal against a removal; an admin of the organization who did not remove the text decides finally.',
      operationId: 'decideForumCase',
      body: CaseDecision,
      response: CaseDetailJson,
      errors: [forum_archived, forumErrors.already_decided, refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      await requireCase(actor, params.case_id);
      const decider = { userId: actor.userId, isOrganizationAdmin: actor.isNationalAdmin };
      await decideCase(params.case_id, decider, body);
      return readCase(params.case_id, actor.userId);
    },
  ),
]);
