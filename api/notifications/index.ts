import './readers.js';
import type { Route } from '../http/routes.js';
import { explainRoutes } from './explain/routes.js';
import { notificationRoutes } from './notifications/routes.js';
import { platformPushHealthRoutes } from './platform-push-health/routes.js';
import { digestPreferenceRoutes } from './digest-preference/routes.js';
import { digestRoutes } from './digests/routes.js';
import { emailConfigRoutes } from './email-config/routes.js';
import { mailSuppressionRoutes } from './mail-suppressions/routes.js';
import { notificationSettingsRoutes } from './notification-settings/routes.js';
import { preferenceRoutes } from './preferences/routes.js';
import { pushTokenRoutes } from './push-tokens/routes.js';
import { quietHoursRoutes } from './quiet-hours/routes.js';
import { unsubscribeRoutes } from './unsubscribe/routes.js';
import { realtimeRoutes } from './realtime/routes.js';

export const notificationsRoutes: Route[] = [
  ...notificationRoutes,
  ...preferenceRoutes,
  ...quietHoursRoutes,
  ...explainRoutes,
  ...pushTokenRoutes,
  ...platformPushHealthRoutes,
  ...unsubscribeRoutes,
  ...notificationSettingsRoutes,
  ...emailConfigRoutes,
  ...mailSuppressionRoutes,
  ...digestPreferenceRoutes,
  ...realtimeRoutes,
  ...digestRoutes,
];
