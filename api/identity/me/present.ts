import type { AccountOrganization } from '../../../models/identity/accounts.js';
import type { Actor } from '../../../models/identity/Actor.js';

export function presentMe({ facts }: Actor, organization: AccountOrganization | null) {
  const { user, is_platform_admin, must_change_password } = facts;
  return {
    user: { ...user, is_platform_admin, must_change_password },
    session: { id: facts.session_id, client: facts.client },
    impersonation: facts.impersonation && { by: facts.impersonation.actor_id, ends_at: facts.impersonation.ends_at },
    organization,
    is_organization_admin: facts.is_organization_admin,
    regions: facts.regions.map(({ id, role }) => ({ id, role })),
    memberships: facts.memberships.map(({ id, chapter_id, role, status }) => ({
      id,
      chapter: chapter_id,
      role,
      status,
    })),
  };
}
