import './readers.js';
import './reviewRules.js';
import type { Route } from '../http/routes.js';
import { publicAccountRequestRoutes } from './account-requests/publicRoutes.js';
import { accountRequestRoutes } from './account-requests/routes.js';
import { adminRoutes } from './admins/routes.js';
import { adminSearchRoutes } from './admin-search/routes.js';
import { advisorRoutes } from './advisors/routes.js';
import { approvalRoutes } from './approvals/routes.js';
import { auditLogRoutes } from './audit-log/routes.js';
import { bulletinRoutes } from './bulletins/routes.js';
import { completenessRoutes } from './completeness/routes.js';
import { storageConfigRoutes } from './storage-config/routes.js';
import { chapterRoutes } from './chapters/routes.js';
import { consentTemplateRoutes } from './consent-templates/routes.js';
import { ownConsentRoutes } from './consents/routes.js';
import { fileRoutes } from './files/routes.js';
import { handOverRequestRoutes } from './hand-over-requests/routes.js';
import { invitationRoutes } from './invitations/routes.js';
import { importRoutes } from './imports/routes.js';
import { memberAddRequestRoutes } from './member-add-requests/routes.js';
import { memberSearchRoutes } from './member-search/routes.js';
import { membershipLifecycleRoutes } from './memberships/lifecycleRoutes.js';
import { membershipRoutes } from './memberships/routes.js';
import { oauthConfigurationRoutes } from './oauth-configurations/routes.js';
import { organizationRoutes } from './organizations/routes.js';
import { officerTermRoutes } from './officer-terms/routes.js';
import { onboardingRoutes } from './onboarding/routes.js';
import { demographicsRoutes } from './demographics/routes.js';
import { profileRoutes } from './profile/routes.js';
import { plannedTermRoutes } from './planned-terms/routes.js';
import { publicRoutes } from './public/routes.js';
import { regionalAdminRoutes } from './regional-admins/routes.js';
import { regionRoutes } from './regions/routes.js';
import { reportRoutes } from './reports/routes.js';
import { rosterExportRoutes } from './roster-exports/routes.js';
import { rolloverRoutes } from './rollovers/routes.js';
import { samlConfigurationRoutes } from './saml-configurations/routes.js';
import { socialPostRoutes } from './social-posts/routes.js';
import { ssoRefusalRoutes } from './sso-refusals/routes.js';
import { statusChangeRequestRoutes } from './status-change-requests/routes.js';
import { termRoutes } from './terms/routes.js';
import { transferRequestRoutes } from './transfer-requests/routes.js';
import { memberPasswordRoutes } from './users/passwordRoutes.js';
import { memberSessionRoutes } from './users/sessionRoutes.js';

export const organizationsRoutes: Route[] = [
  ...publicAccountRequestRoutes,
  ...accountRequestRoutes,
  ...organizationRoutes,
  ...adminRoutes,
  ...adminSearchRoutes,
  ...approvalRoutes,
  ...regionRoutes,
  ...regionalAdminRoutes,
  ...chapterRoutes,
  ...advisorRoutes,
  ...officerTermRoutes,
  ...plannedTermRoutes,
  ...handOverRequestRoutes,
  ...publicRoutes,
  ...membershipRoutes,
  ...membershipLifecycleRoutes,
  ...completenessRoutes,
  ...storageConfigRoutes,
  ...demographicsRoutes,
  ...profileRoutes,
  ...onboardingRoutes,
  ...ownConsentRoutes,
  ...consentTemplateRoutes,
  ...invitationRoutes,
  ...memberPasswordRoutes,
  ...memberSessionRoutes,
  ...memberAddRequestRoutes,
  ...memberSearchRoutes,
  ...statusChangeRequestRoutes,
  ...transferRequestRoutes,
  ...rosterExportRoutes,
  ...importRoutes,
  ...rolloverRoutes,
  ...reportRoutes,
  ...termRoutes,
  ...fileRoutes,
  ...auditLogRoutes,
  ...oauthConfigurationRoutes,
  ...samlConfigurationRoutes,
  ...ssoRefusalRoutes,
  ...socialPostRoutes,
  ...bulletinRoutes,
];
