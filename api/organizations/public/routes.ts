import { z } from 'zod';
import { name, searchText } from '../../../models/fields.js';
import {
  listPublicChapters,
  listPublicOrganizations,
  MAX_LISTED,
} from '../../../models/organizations/publicDirectory.js';
import { get, routes } from '../../http/routes.js';

const ListedOrganizationJson = z
  .object({
    name: z.string(),
    slug: z.string(),
    org_type: z.string(),
    primary_color: z.string().nullable(),
    accepts_account_requests: z.boolean(),
  })
  .meta({ id: 'ListedOrganization' });

const ListedChapterJson = z
  .object({
    id: z.uuid(),
    name: z.string(),
    designation: z.string().nullable(),
    university: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
  })
  .meta({ id: 'ListedChapter' });

const common = { access: 'public', tags: ['organizations'], revalidated: true } as const;
const description = `An array of at most ${MAX_LISTED} items, sorted by name.`;

export const publicRoutes = routes('/api/organizations/public', [
  get(
    '/directory/',
    {
      ...common,
      summary: 'List the public directory of organizations',
      description,
      operationId: 'getPublicDirectory',
      query: z.object({ search: searchText.meta({ description: 'Searches name and slug.' }) }),
      response: z.array(ListedOrganizationJson),
    },
    ({ query }) => listPublicOrganizations(query.search),
  ),

  get(
    '/:slug/chapters/',
    {
      ...common,
      summary: 'List the active chapters of a publicly listed organization',
      description,
      operationId: 'listPublicChapters',
      params: z.object({ slug: z.string().max(100) }),
      query: z.object({
        state: name(50).optional(),
        search: searchText.meta({ description: 'Searches name, designation, university and city.' }),
      }),
      response: z.array(ListedChapterJson),
    },
    ({ params, query }) => listPublicChapters(params.slug, query),
  ),
]);
