import type { Route } from '../http/routes.js';
import { platformAdminRoutes } from './admins/routes.js';
import { platformAlertRoutes } from './alerts/routes.js';
import { platformAuditLogRoutes } from './audit-log/routes.js';
import { platformHealthRoutes } from './health/routes.js';
import { platformOrganizationRoutes } from './organizations/routes.js';
import { platformStorageConfigRoutes } from './storage-config/routes.js';
import { storageMigrationRoutes } from './storage-migrations/routes.js';
import { userSearchRoutes } from './user-search/routes.js';
import { platformUserRoutes } from './users/routes.js';
import { verifiedDomainRoutes } from './verified-domains/routes.js';

export const platformRoutes: Route[] = [
  ...platformOrganizationRoutes,
  ...verifiedDomainRoutes,
  ...platformStorageConfigRoutes,
  ...storageMigrationRoutes,
  ...platformAdminRoutes,
  ...platformUserRoutes,
  ...userSearchRoutes,
  ...platformAlertRoutes,
  ...platformAuditLogRoutes,
  ...platformHealthRoutes,
];
