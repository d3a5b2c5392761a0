import type { Route } from '../http/routes.js';

export const financesRoutes: Route[] = [];
