import type { Route } from '../http/routes.js';
import { loginRoutes } from './login/routes.js';
import { meRoutes } from './me/routes.js';
import { passwordRoutes } from './password/routes.js';
import { sessionRoutes } from './sessions/routes.js';
import { tokenRoutes } from './tokens/routes.js';

export const identityRoutes: Route[] = [
  ...loginRoutes,
  ...tokenRoutes,
  ...meRoutes,
  ...sessionRoutes,
  ...passwordRoutes,
];
