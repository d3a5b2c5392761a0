import type { Route } from '../http/routes.js';

export const identityRoutes: Route[] = [];
