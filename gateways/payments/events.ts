/** Signed events, by the provider that sends them. */
import { EventRefused, type ProcessorEvent } from './port.js';
import { processorNamedByStripe, readStripeEvent, STRIPE_SIGNATURE } from './stripeEvents.js';

interface EventReader {
  /** The header that has the signature, in lower case. */
  signatureHeader: string;
  /** Our id of the processor, as the event itself says it: unproven, so it may only select a secret. */
  processorNamedIn(rawBody: Buffer): string | null;
  /** @throws EventRefused */
  read(rawBody: Buffer, signature: string | undefined, secrets: string[], receivedAt: number): ProcessorEvent;
}

const READERS: Readonly<Record<string, EventReader>> = {
  stripe: {
    signatureHeader: STRIPE_SIGNATURE,
    processorNamedIn: processorNamedByStripe,
    read: readStripeEvent,
  },
};

/** An event as it came. */
export interface ReceivedEvent {
  rawBody: Buffer;
  header: (name: string) => string | undefined;
  /** Milliseconds since 1970, by a clock that can be relied on. */
  receivedAt: number;
}

/** Which processor an event says that it is of, whoever sent it. */
export function processorNamedIn(rawBody: Buffer): string | null {
  for (const reader of Object.values(READERS)) {
    const named = reader.processorNamedIn(rawBody);
    if (named !== null) return named;
  }
  return null;
}

/**
 * @param secrets the current signing secret and, during a rotation, the one before
 * @throws EventRefused also for a provider that sends none yet
 */
export function readProcessorEvent(
  provider: string,
  secrets: string[],
  { rawBody, header, receivedAt }: ReceivedEvent,
): ProcessorEvent {
  const reader = READERS[provider];
  if (!reader) throw new EventRefused('This payment provider sends no events yet.');
  return reader.read(rawBody, header(reader.signatureHeader), secrets, receivedAt);
}
