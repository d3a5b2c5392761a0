import { z } from 'zod';
import { invalid } from '../../../models/errors.js';
import { line, moment, recordId } from '../../../models/fields.js';
import { MAX_FOUND, searchTexts } from '../../../models/forums/search/searchTexts.js';
import { anyone, authorize, by, forumReader, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { inForum } from '../access.js';
import { forums } from '../fields.js';
import { author } from '../textSchema.js';

const searchPolicy = policy('forum search', { search: [anyone], searchForum: [forumReader] });

const SearchQuery = z.object({
  q: line(200).optional().meta({
    description:
      'Required. Words that occur in the text, in any case and order. `"two words"` is a phrase, `or` between words an alternative, `-word` excludes.',
  }),
  forum: recordId.optional().meta({ description: 'Only texts of this forum.' }),
});

const FoundTextJson = z
  .object({
    forum: z.object({ id: z.uuid(), name: z.string() }),
    post: z.uuid(),
    comment: z.uuid().nullable().meta({ description: 'Null for a post.' }),
    title: z.string().nullable().meta({ description: 'Title of the thread; null if its post is deleted.' }),
    author,
    excerpt: z.string().meta({ description: 'The beginning of its Markdown, at most 200 characters.' }),
    created_at: moment,
  })
  .meta({ id: 'FoundForumText' });

export const forumSearchRoutes = routes('/api/forums/search', [
  get(
    '/',
    {
      ...forums,
      summary: 'Search posts and comments of the forums that you see',
      description: `The newest ${MAX_FOUND} that match.`,
      operationId: 'searchForums',
      rule: by(searchPolicy, 'search', 'searchForum'),
      query: SearchQuery,
      response: z.array(FoundTextJson).max(MAX_FOUND),
    },
    async ({ actor, query: { q, forum = null } }) => {
      if (forum === null) authorize(actor, searchPolicy, 'search');
      else await inForum(actor, forum, searchPolicy, 'searchForum');
      // Validated after the authorization, as in the search for members.
      if (q === undefined) throw invalid('q', 'Must not be empty.');
      return searchTexts(actor.userId, q, forum);
    },
  ),
]);
