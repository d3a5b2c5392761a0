/** Whom an organization consists of, for those who tell them something. */
import { defineAudiences } from '../notifications/audiences.js';

export const audiences = defineAudiences({
  /** Whoever may come in; `audience_id` is the organization. */
  everyone: 'SELECT DISTINCT f.user_id FROM affiliations f WHERE f.organization_id = a.organization_id',
  /** Who administers it. */
  admins: 'SELECT admin.user_id FROM app.active_admins(a.organization_id) admin',
});
