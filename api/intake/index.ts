import type { Route } from '../http/routes.js';
import { crossingRoutes } from './crossings/routes.js';
import { nameAssignmentRoutes } from './name-assignments/routes.js';
import { recruitmentPeriodRoutes } from './recruitment-periods/routes.js';
import { lineRoutes } from './pnm/lineRoutes.js';
import { pnmRoutes } from './pnm/routes.js';

export const intakeRoutes: Route[] = [
  ...pnmRoutes,
  ...lineRoutes,
  ...crossingRoutes,
  ...nameAssignmentRoutes,
  ...recruitmentPeriodRoutes,
];
