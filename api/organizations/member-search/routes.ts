import { invalid } from '../../../models/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { searchMembers } from '../../../models/organizations/searchMembers.js';
import { anyone, authorize, by, may, organizationAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { membershipPolicy } from '../memberships/policy.js';
import { MemberSearchJson, MemberSearchQuery } from './schema.js';

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
