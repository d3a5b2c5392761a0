import type { Route } from '../http/routes.js';
import { invoicePaymentRoutes } from './invoice-payments/routes.js';
import { remittanceRoutes } from './remittances/routes.js';
import { webhookRoutes } from './webhooks/routes.js';

export const financesRoutes: Route[] = [...remittanceRoutes, ...invoicePaymentRoutes, ...webhookRoutes];
