import { searchUsers } from '../../../models/platform/searchUsers.js';
import { get, routes } from '../../http/routes.js';
import { UserSearchJson, UserSearchQuery } from './schema.js';

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
