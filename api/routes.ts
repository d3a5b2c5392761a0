/** All routes of the API: the server mounts them, the docs describe them, and the tests iterate over them. */
import { financesRoutes } from './finances/index.js';
import { forumsRoutes } from './forums/index.js';
import { foundationRoutes } from './foundation/index.js';
import { schemaRoute } from './http/docs/openapi.js';
import { systemRoutes } from './http/health.js';
import type { Route } from './http/routes.js';
import { identityRoutes } from './identity/index.js';
import { intakeRoutes } from './intake/index.js';
import { notificationsRoutes } from './notifications/index.js';
import { organizationsRoutes } from './organizations/index.js';
import { platformRoutes } from './platform/index.js';
import { bulkActionRoutes } from './processes/bulk-actions/routes.js';
import { processRoutes } from './processes/routes.js';
import { summaryRoutes } from './processes/summaryRoutes.js';
import { socialnetRoutes } from './socialnet/routes.js';
import { wellKnownRoutes } from './well-known/routes.js';

export const allRoutes: Route[] = [
  ...systemRoutes,
  schemaRoute(() => allRoutes),
  ...identityRoutes,
  ...notificationsRoutes,
  ...organizationsRoutes,
  ...forumsRoutes,
  ...financesRoutes,
  ...foundationRoutes,
  ...intakeRoutes,
  ...platformRoutes,
  ...bulkActionRoutes,
  ...processRoutes,
  ...summaryRoutes,
  ...socialnetRoutes,
  ...wellKnownRoutes,
];
