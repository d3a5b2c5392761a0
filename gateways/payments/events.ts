/** Signed events, whichever provider sends them. */
import type { Credentials, ProcessorEvent } from './port.js';

/** An event as it came. */
export interface ReceivedEvent {
  rawBody: Buffer;
  header: (name: string) => string | undefined;
  /** The address that the provider was told to send it to. */
  url: string;
  /** Milliseconds since 1970, by a clock that can be relied on. */
  receivedAt: number;
  /** Opens the account, for a provider whose word counts only once it is asked again. */
  credentials: () => Promise<Credentials>;
}

/** Runs in the API: with `node:crypto` and a request at most, never with a library of its provider. */
export interface EventReader {
  /** Our id of the processor, as the event itself says it: unproven, so it may only select a secret. */
  processorNamedIn(rawBody: Buffer): string | null;
  /**
   * @param secrets the current signing secret and, during a rotation, the one before
   * @throws EventRefused
   */
  read(event: ReceivedEvent, secrets: string[]): Promise<ProcessorEvent>;
}

/** Ids and codes as providers write them; anything else is not one. */
export const identifier = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:-]{1,200}$/.test(value) ? value : null;

const REFERENCES = ['organization_id', 'processor_id', 'remittance_id', 'invoice_id', 'attempt_id'];

/** Our own marks only: the rest of an account's metadata is none of our business, and is not kept. */
export function referenceOf(metadata: unknown): Record<string, string> {
  const marks = (metadata ?? {}) as Record<string, unknown>;
  const ours = REFERENCES.map((name) => [name, identifier(marks[name])] as const);
  return Object.fromEntries(ours.filter((entry): entry is [string, string] => entry[1] !== null));
}
