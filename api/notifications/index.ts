import type { Route } from '../http/routes.js';
import { explainRoutes } from './explain/routes.js';
import { notificationRoutes } from './notifications/routes.js';
import { preferenceRoutes } from './preferences/routes.js';
import { quietHoursRoutes } from './quiet-hours/routes.js';

export const notificationsRoutes: Route[] = [
  ...notificationRoutes,
  ...preferenceRoutes,
  ...quietHoursRoutes,
  ...explainRoutes,
];
