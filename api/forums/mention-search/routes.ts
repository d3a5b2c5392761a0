import { z } from 'zod';
import { searchForumPeople } from '../../../models/forums/mentions/searchPeople.js';
import { by, forumReader, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { inForum } from '../access.js';
import { ForumParams, forums } from '../fields.js';

const mentionPolicy = policy('people to mention in a forum', { read: [forumReader] });

const FoundPersonJson = z
  .object({ user: z.uuid(), username: z.string(), first_name: z.string(), last_name: z.string() })
  .meta({ id: 'ForumPerson' });

export const forumMentionSearchRoutes = routes('/api/forums/:forum_id/mention-search', [
  get(
    '/',
    {
      ...forums,
      summary: 'Find people to mention',
      description: 'Up to ten people who see the forum, by the beginning of their user name or of their name.',
      operationId: 'searchForumPeople',
      params: ForumParams,
      rule: by(mentionPolicy, 'read'),
      query: z.object({ q: z.string().trim().max(100).default('').meta({ example: 'ada' }) }),
      response: z.array(FoundPersonJson),
    },
    async ({ actor, params, query }) => {
      await inForum(actor, params.forum_id, mentionPolicy, 'read');
      return searchForumPeople(params.forum_id, query.q);
    },
  ),
]);
