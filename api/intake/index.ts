import './readers.js';
import './reviewRules.js';
import type { Route } from '../http/routes.js';
import { applicationConfigRoutes } from './pnm-config/routes.js';
import { publicApplicationRoutes } from './public/routes.js';
import { applicationRoutes } from './pnm-applications/routes.js';
import { crossingRoutes } from './crossings/routes.js';
import { referenceLetterRoutes } from './reference-letters/routes.js';
import { publicLetterRoutes } from './reference-letters/publicRoutes.js';
import { nameAssignmentRoutes } from './name-assignments/routes.js';
import { ownAccountRoutes } from './provisioning/ownRoutes.js';
import { provisioningRoutes } from './provisioning/routes.js';
import { recruitmentPeriodRoutes } from './recruitment-periods/routes.js';
import { packetRoutes } from './pnm/packetRoutes.js';
import { lineRoutes } from './pnm/lineRoutes.js';
import { pnmRoutes } from './pnm/routes.js';

export const intakeRoutes: Route[] = [
  // These routes come before the routes of one prospective member, which would otherwise take `public` for an id.
  ...publicApplicationRoutes,
  ...publicLetterRoutes,
  ...applicationConfigRoutes,
  ...applicationRoutes,
  ...pnmRoutes,
  ...lineRoutes,
  ...referenceLetterRoutes,
  ...packetRoutes,
  ...crossingRoutes,
  ...nameAssignmentRoutes,
  ...recruitmentPeriodRoutes,
  ...provisioningRoutes,
  ...ownAccountRoutes,
];
