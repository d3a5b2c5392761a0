/** The routes of the API: method, path, the operation that faults refer to, and the handler. */
import * as charges from '../resources/charges.js';
import * as sessions from '../resources/checkoutSessions.js';
import * as customers from '../resources/customers.js';
import * as disputes from '../resources/disputes.js';
import * as events from '../resources/events.js';
import { capture } from '../resources/capture.js';
import { listIntents, searchIntents } from '../resources/intentLists.js';
import * as money from '../resources/moneyReads.js';
import * as intents from '../resources/paymentIntents.js';
import * as payouts from '../resources/payouts.js';
import * as methods from '../resources/paymentMethods.js';
import * as refunds from '../resources/refunds.js';
import * as endpoints from '../resources/webhookEndpoints.js';
import type { Handler } from './call.js';

export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path under /v1; `:id` matches one segment. */
  path: string;
  operation: string;
  handler: Handler;
}

const route = (method: Route['method'], path: string, operation: string, handler: Handler): Route => ({
  method,
  path,
  operation,
  handler,
});

/** Fixed paths come before paths with `:id`, because the first match is used. */
const ROUTES: readonly Route[] = [
  route('POST', '/payment_intents', 'create', intents.createIntent),
  route('GET', '/payment_intents', 'list', listIntents),
  route('GET', '/payment_intents/search', 'search', searchIntents),
  route('GET', '/payment_intents/:id', 'retrieve', intents.retrieveIntent),
  route('POST', '/payment_intents/:id', 'update', intents.updateIntent),
  route('POST', '/payment_intents/:id/confirm', 'confirm', intents.confirm),
  route('POST', '/payment_intents/:id/capture', 'capture', capture),
  route('POST', '/payment_intents/:id/cancel', 'cancel', intents.cancel),
  route('POST', '/checkout/sessions', 'checkout', sessions.createSession),
  route('GET', '/checkout/sessions', 'checkout_list', sessions.listSessions),
  route('GET', '/checkout/sessions/:id', 'checkout_retrieve', sessions.retrieveSession),
  route('GET', '/checkout/sessions/:id/line_items', 'checkout_retrieve', sessions.listLineItems),
  route('POST', '/checkout/sessions/:id/expire', 'checkout_expire', sessions.expireSession),
  route('POST', '/refunds', 'refund', refunds.createRefund),
  route('GET', '/refunds', 'refund_list', refunds.listRefunds),
  route('GET', '/refunds/:id', 'refund_retrieve', refunds.retrieveRefund),
  route('GET', '/disputes', 'dispute_list', disputes.listDisputes),
  route('GET', '/disputes/:id', 'dispute_retrieve', disputes.retrieveDispute),
  route('GET', '/payouts', 'payout_list', payouts.listPayouts),
  route('GET', '/payouts/:id', 'payout_retrieve', payouts.retrievePayout),
  route('GET', '/charges', 'charge_list', charges.listCharges),
  route('GET', '/charges/:id', 'charge_retrieve', charges.retrieveCharge),
  route('GET', '/charges/:id/refunds', 'refund_list', refunds.listRefunds),
  route('POST', '/customers', 'customer', customers.createCustomer),
  route('GET', '/customers', 'customer', customers.listCustomers),
  route('GET', '/customers/:id', 'customer', customers.retrieveCustomer),
  route('POST', '/customers/:id', 'customer', customers.updateCustomer),
  route('DELETE', '/customers/:id', 'customer', customers.deleteCustomer),
  route('GET', '/customers/:id/payment_methods', 'payment_method', methods.listMethods),
  route('POST', '/payment_methods', 'payment_method', methods.createMethod),
  route('GET', '/payment_methods', 'payment_method', methods.listMethods),
  route('GET', '/payment_methods/:id', 'payment_method', methods.retrieveMethod),
  route('POST', '/payment_methods/:id/attach', 'attach', methods.attach),
  route('POST', '/payment_methods/:id/detach', 'detach', methods.detach),
  route('GET', '/events', 'event', events.listEvents),
  route('GET', '/events/:id', 'event', events.retrieveEvent),
  route('GET', '/balance', 'balance', money.retrieveBalance),
  route('GET', '/balance_transactions', 'balance', money.listBalanceTransactions),
  route('GET', '/balance_transactions/:id', 'balance', money.retrieveBalanceTransaction),
  route('GET', '/account', 'account', money.retrieveAccount),
  route('GET', '/accounts/:id', 'account', money.retrieveAccount),
  route('POST', '/webhook_endpoints', 'webhook_endpoint', endpoints.createEndpoint),
  route('GET', '/webhook_endpoints', 'webhook_endpoint', endpoints.listEndpoints),
  route('GET', '/webhook_endpoints/:id', 'webhook_endpoint', endpoints.retrieveEndpoint),
  route('POST', '/webhook_endpoints/:id', 'webhook_endpoint', endpoints.updateEndpoint),
  route('DELETE', '/webhook_endpoints/:id', 'webhook_endpoint', endpoints.deleteEndpoint),
];

/**
 * Operations of the hosted page: paying and authenticating. They are not part of the API, but faults may select them.
 */
const PAGE_OPERATIONS = ['checkout_pay', 'authenticate'] as const;

/** All operations that a fault may name. */
export const OPERATIONS: ReadonlySet<string> = new Set([...ROUTES.map((one) => one.operation), ...PAGE_OPERATIONS]);

const compiled = ROUTES.map((one) => ({
  one,
  pattern: new RegExp(`^/v1${one.path.replaceAll(':id', '([^/]+)')}$`),
}));

/** Returns the route of a request and the ids in its path. */
export function matchRoute(method: string, path: string): { route: Route; ids: string[] } | null {
  for (const { one, pattern } of compiled) {
    const match = one.method === method ? pattern.exec(path) : null;
    if (match) return { route: one, ids: match.slice(1).map(decoded) };
  }
  return null;
}

/**
 * Decodes a segment of a path. A segment that is not valid percent-encoding is returned as it is; it then matches no
 * object.
 */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
