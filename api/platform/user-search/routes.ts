import { z } from 'zod';
import { searchUsers } from '../../../models/platform/searchUsers.js';
import { get, routes } from '../../http/routes.js';
import { AccountJson } from '../../identity/schema.js';
import { shownEmail } from '../../organizations/people.js';
import { PersonQuery } from '../users/schema.js';

const UserSearchQuery = z.object({ q: PersonQuery.shape.q.unwrap() });

const { id, first_name, last_name, is_platform_admin } = AccountJson.shape;

const UserSearchJson = z
  .array(
    z
      .object({ id, email: shownEmail, first_name, last_name, is_platform_admin, is_disabled: z.boolean() })
      .meta({ id: 'FoundUser' }),
  )
  .max(25);

export const userSearchRoutes = routes('/api/platform/user-search', [
  get(
    '/',
    {
      summary: 'Search people of all organizations while typing',
      description: 'At most 25: names that begin with the words first, either name first, then addresses.',
      operationId: 'searchUsers',
      access: 'platform',
      tags: ['platform'],
      query: UserSearchQuery,
      response: UserSearchJson,
    },
    ({ query }) => searchUsers(query.q),
  ),
]);
