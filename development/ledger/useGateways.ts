/** Points a command to the stand-ins of a running demo, unless the configuration names other addresses. */
import { config } from '../../config.js';
import type { DemoFacts } from '../demo/facts.js';

export function useGateways({ gateway, gateways }: DemoFacts): void {
  config.STRIPE_API_URL ??= gateway.url;
  config.SQUARE_API_URL ??= gateways?.square.url;
  config.PAYPAL_API_URL ??= gateways?.paypal.url;
  config.CHECKOUT_API_URL ??= gateways?.checkout.url;
}
