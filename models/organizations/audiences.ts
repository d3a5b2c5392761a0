/** Whom an organization consists of, for those who tell them something. */
import { defineAudiences } from '../notifications/audiences.js';

export const audiences = defineAudiences({
  /** Whoever may come in; `audience_id` is the organization. */
  everyone: 'SELECT DISTINCT f.user_id FROM affiliations f WHERE f.organization_id = a.organization_id',
  /** Who administers it. */
  admins: `SELECT f.user_id FROM affiliations f
    WHERE f.organization_id = a.organization_id AND f.kind = 'organization_admin'`,
});
