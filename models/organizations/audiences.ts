/** Audiences of notifications within an organization, as SQL. */
import { defineAudiences } from '../notifications/audiences.js';

export const audiences = defineAudiences({
  /** Every person with access to the organization; `audience_id` is the organization. */
  everyone: 'SELECT DISTINCT f.user_id FROM affiliations f WHERE f.organization_id = a.organization_id',
  /** People whose membership in this chapter gives them access. */
  chapter: `SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL
     WHERE m.organization_id = a.organization_id AND m.chapter_id = a.audience_id AND app.gives_access(m.status)`,
  /** Members of any chapter of this region whose membership gives access, and the region's active administrators. */
  region: `SELECT m.user_id FROM memberships m
      JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
      JOIN users u ON u.id = m.user_id AND u.placeholder_in IS NULL
     WHERE m.organization_id = a.organization_id AND c.region_id = a.audience_id AND app.gives_access(m.status)
    UNION SELECT r.user_id FROM regional_admins r JOIN users u ON u.id = r.user_id AND u.placeholder_in IS NULL
     WHERE r.organization_id = a.organization_id AND r.region_id = a.audience_id AND r.is_active`,
  /** Active administrators of the organization. */
  admins: 'SELECT admin.user_id FROM app.active_admins(a.organization_id) admin',
});
