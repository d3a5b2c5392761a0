/**
 * Tokens with which a person unsubscribes from one kind of mail without signing in (RFC 8058). Each mail contains such
 * a token.
 */
import { z } from 'zod';
import { config } from '../../../config.js';
import { EVENT_TYPES } from '../eventTypes.js';
import { isSigned, sign } from '../../database/signatures.js';

const PURPOSE = 'unsubscribe';

const Scope = z.union([
  z.strictObject({ events: z.array(z.enum(EVENT_TYPES)).min(1) }),
  z.strictObject({ conversation: z.strictObject({ type: z.string().min(1).max(100), id: z.uuid() }) }),
  z.strictObject({ digest: z.literal(true) }),
]);
/** The mail that the token ends: mail about certain events, all notifications of one conversation, or digests. */
export type UnsubscribeScope = z.output<typeof Scope>;

const Content = z.strictObject({ organizationId: z.uuid(), userId: z.uuid(), scope: Scope });
export type Unsubscribe = z.output<typeof Content>;

/** Returns the unsubscribe link of a mail. */
export function unsubscribeUrl(content: Unsubscribe): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${config.backendUrl}/api/notifications/unsubscribe/${text}.${sign(PURPOSE, text).toString('base64url')}/`;
}

/**
 * Returns the content of a token. Null if its signature is wrong, or if this release does not know its content, for
 * example because the event type was removed.
 */
export function openUnsubscribeToken(token: string): Unsubscribe | null {
  const [text = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isSigned(PURPOSE, text, Buffer.from(signature, 'base64url'))) return null;
  return Content.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
}
