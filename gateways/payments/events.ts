/** Signed webhook events of all providers. */
import { ChargeRefused, type Credentials, type ProcessorEvent } from './port.js';

/** A webhook delivery as it arrived. */
export interface ReceivedEvent {
  rawBody: Buffer;
  header: (name: string) => string | undefined;
  /** The URL to which the provider sends its events. */
  url: string;
  /** Time of arrival in milliseconds since 1970, by the database's clock or another reliable one. */
  receivedAt: number;
  /** Returns the credentials of the account, for a provider whose events must be confirmed by a request. */
  credentials: () => Promise<Credentials>;
}

/**
 * Reads the events of one provider. It runs in API processes, so it uses `node:crypto` and at most one request, never
 * the provider's library.
 */
export interface EventReader {
  /**
   * Returns our processor id in the event. The id is not verified yet, so use it only to choose the secret with which
   * the event is verified.
   */
  processorNamedIn(rawBody: Buffer): string | null;
  /**
   * Verifies and reads an event.
   * @param secrets the current signing secret and, during a rotation, the previous one
   * @throws EventRefused
   */
  read(event: ReceivedEvent, secrets: string[]): Promise<ProcessorEvent>;
}

/**
 * Returns one of our ids, by which a provider is searched.
 * @throws ChargeRefused for a text that could change the meaning of the search
 */
export function requireOwnId(id: string): string {
  if (!/^[\w-]{1,100}$/.test(id)) throw new ChargeRefused('invalid_request', 'A charge can be found only by our ids.');
  return id;
}

/** Returns an id or code in the form that providers use; null for any other value. */
export const identifier = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w.:-]{1,200}$/.test(value) ? value : null;

/** Names of our ids on a charge. */
export const REFERENCES = [
  'organization_id',
  'processor_id',
  'remittance_id',
  'invoice_id',
  'donation_id',
  'pledge_id',
  'attempt_id',
];

/** Returns a time of a provider in ISO 8601; null for any other value. */
export function instant(value: unknown): string | null {
  const at = typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value * 1000 : Number.NaN;
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
}

/** Returns our own ids from the metadata of a charge; other metadata is dropped, so that it is not stored. */
export function referenceOf(metadata: unknown): Record<string, string> {
  const marks = (metadata ?? {}) as Record<string, unknown>;
  const entries = REFERENCES.map((name) => [name, identifier(marks[name])] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
}
