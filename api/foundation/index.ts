import './readers.js';
import type { Route } from '../http/routes.js';
import { foundationAdminRoutes } from './admins/routes.js';
import { foundationBulletinRoutes } from './bulletins/routes.js';
import { internalGivingRoutes } from './campaigns/internalRoutes.js';
import { annualReceiptRoutes } from './annual-receipts/routes.js';
import { campaignRoutes } from './campaigns/routes.js';
import { foundationConfigRoutes } from './config/routes.js';
import { donatePageRoutes } from './donate/routes.js';
import { donationSuccessRoutes } from './donation-success/routes.js';
import { donationRoutes } from './donations/routes.js';
import { donorRoutes } from './donors/routes.js';
import { fundRoutes } from './funds/routes.js';
import { ownGivingRoutes } from './me/routes.js';
import { giftCaseRoutes } from './money-cases/routes.js';
import { pledgeLinkRoutes } from './pledges/linkRoutes.js';
import { pledgeRoutes } from './pledges/routes.js';
import { foundationProcessorRoutes } from './payment-processor/routes.js';
import { donorLinkRoutes, donorPageRoutes } from './portal/routes.js';
import { receiptRoutes, receiptVerificationRoutes } from './receipts/routes.js';
import { publicGivingRoutes } from './public/routes.js';
import { bulletinUnsubscribeRoutes } from './unsubscribe/routes.js';
import { unmatchedGiftRoutes } from './unmatched-payments/routes.js';

export const foundationRoutes: Route[] = [
  ...foundationConfigRoutes,
  ...foundationAdminRoutes,
  ...foundationProcessorRoutes,
  ...fundRoutes,
  ...campaignRoutes,
  ...foundationBulletinRoutes,
  ...bulletinUnsubscribeRoutes,
  ...receiptRoutes,
  ...annualReceiptRoutes,
  ...receiptVerificationRoutes,
  ...publicGivingRoutes,
  ...donatePageRoutes,
  ...donationSuccessRoutes,
  ...donorLinkRoutes,
  ...donorPageRoutes,
  ...internalGivingRoutes,
  ...ownGivingRoutes,
  ...donationRoutes,
  ...donorRoutes,
  ...unmatchedGiftRoutes,
  ...giftCaseRoutes,
  ...pledgeRoutes,
  ...pledgeLinkRoutes,
];
