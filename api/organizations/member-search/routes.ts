import { z } from 'zod';
import { invalid } from '../../../models/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { searchMembers } from '../../../models/organizations/searchMembers.js';
import { MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { anyone, authorize, by, may, organizationAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { membershipPolicy } from '../memberships/policy.js';

const MemberSearchQuery = z.object({
  q: z.string().trim().max(100).optional().meta({
    description:
      'Required. Beginning or part of a name, or a similar name; for admins also the beginning of an address.',
  }),
  impersonable: z
    .enum(['0', '1', 'true', 'false'])
    .transform((value) => value === '1' || value === 'true')
    .optional()
    .meta({ description: 'Only members whom the caller may impersonate. For admins of the organization.' }),
});

const MemberSearchJson = z
  .array(
    z
      .object({
        id: z.uuid().meta({ description: 'Id of the membership.' }),
        user: z.uuid(),
        chapter: z.uuid(),
        chapter_name: z.string(),
        first_name: z.string(),
        last_name: z.string(),
        email: z
          .string()
          .nullable()
          .meta({ description: 'Null if the caller may not see it, and for a deleted account.' }),
        role: z.enum(MEMBERSHIP_ROLES),
        status: z.enum(MEMBERSHIP_STATUSES),
      })
      .meta({ id: 'FoundMember' }),
  )
  .max(25);

const memberSearchPolicy = policy('member search', {
  read: [anyone],
  /** Admins who may start impersonations may search for people to impersonate. */
  read_impersonable: [organizationAdmin],
});

export const memberSearchRoutes = routes('/api/organizations/:organization_id/member-search', [
  get(
    '/',
    {
      summary: 'Search members by name',
      rule: by(memberSearchPolicy, 'read'),
      description:
        'Returns at most 25 memberships with access: names that begin with the search words first, then names that ' +
        'contain or resemble them. Addresses are shown and searched under the same rules as on the roster.',
      operationId: 'searchMembers',
      access: 'tenant',
      tags: ['organizations'],
      params: OrganizationParams,
      query: MemberSearchQuery,
      response: MemberSearchJson,
      errors: [organizationsErrors.impersonable_search_forbidden],
    },
    async ({ actor, query: { q, impersonable = false } }) => {
      authorize(actor, memberSearchPolicy, 'read');
      // Validated after the authorization, so that a foreign organization returns 404 for every query.
      if (!q) throw invalid('q', 'Must not be empty.');
      if (impersonable && !may(actor, memberSearchPolicy, 'read_impersonable')) {
        throw organizationsErrors.impersonable_search_forbidden();
      }
      const impersonableBy = impersonable ? actor.userId : null;
      const members = await searchMembers({ words: q, searchesEmail: actor.isNationalAdmin, impersonableBy });
      return members.map((member) => {
        const subject = { chapter_id: member.chapter, membership_id: member.id, user_id: member.user };
        return { ...member, email: may(actor, membershipPolicy, 'read_contact', subject) ? member.email : null };
      });
    },
  ),
]);
