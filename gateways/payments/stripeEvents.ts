/** Events of Stripe. Its library is loaded with the first of them, which most processes never receive. */
import { type EventReader, identifier } from './events.js';

export const stripeEvents: EventReader = {
  processorNamedIn: processorNamedByStripe,
  read: async (event, secrets) => (await import('./readStripeEvent.js')).readStripeEvent(event, secrets),
};

/** Before the signature is checked: the mark that our charges carry, which comes back in their events. */
function processorNamedByStripe(rawBody: Buffer): string | null {
  try {
    const event = JSON.parse(rawBody.toString('utf8')) as {
      data?: { object?: { metadata?: { processor_id?: unknown } } };
    };
    return identifier(event.data?.object?.metadata?.processor_id);
  } catch {
    return null;
  }
}
