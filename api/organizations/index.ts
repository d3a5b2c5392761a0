import type { Route } from '../http/routes.js';
import { adminRoutes } from './admins/routes.js';
import { auditLogRoutes } from './audit-log/routes.js';
import { chapterRoutes } from './chapters/routes.js';
import { membershipRoutes } from './memberships/routes.js';
import { organizationRoutes } from './organizations/routes.js';
import { regionalAdminRoutes } from './regional-admins/routes.js';
import { regionRoutes } from './regions/routes.js';
import { termRoutes } from './terms/routes.js';

export const organizationsRoutes: Route[] = [
  ...organizationRoutes,
  ...adminRoutes,
  ...regionRoutes,
  ...regionalAdminRoutes,
  ...chapterRoutes,
  ...membershipRoutes,
  ...termRoutes,
  ...auditLogRoutes,
];
