import type { Route } from '../http/routes.js';
import { emailRoutes } from './emails/routes.js';
import { deletionRoutes } from './deletion/routes.js';
import { impersonationRoutes } from './impersonation/routes.js';
import { loginRoutes } from './login/routes.js';
import { meRoutes } from './me/routes.js';
import { passkeyRoutes } from './passkeys/routes.js';
import { passwordRoutes } from './password/routes.js';
import { securityEventRoutes } from './security-events/routes.js';
import { sessionRoutes } from './sessions/routes.js';
import { oauthRoutes } from './sso/oauthRoutes.js';
import { ssoRoutes } from './sso/routes.js';
import { samlRoutes } from './sso/saml/routes.js';
import { stepUpRoutes } from './step-up/routes.js';
import { tokenRoutes } from './tokens/routes.js';

export const identityRoutes: Route[] = [
  ...loginRoutes,
  ...tokenRoutes,
  ...meRoutes,
  ...deletionRoutes,
  ...impersonationRoutes,
  ...sessionRoutes,
  ...stepUpRoutes,
  ...passwordRoutes,
  ...emailRoutes,
  ...securityEventRoutes,
  ...passkeyRoutes,
  ...ssoRoutes,
  ...oauthRoutes,
  ...samlRoutes,
];
