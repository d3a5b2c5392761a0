/** Events of Stripe. The library is loaded with the first event, because most processes never receive one. */
import { type EventReader, identifier } from './events.js';

export const stripeEvents: EventReader = {
  processorNamedIn: processorNamedByStripe,
  read: async (event, secrets) => (await import('./readStripeEvent.js')).readStripeEvent(event, secrets),
};

/** Returns the processor id in the metadata of the charge. The signature is not verified yet. */
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
