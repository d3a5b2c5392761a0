/** What ends mail of one kind to one person, without signing in (RFC 8058): whoever has the mail has the token. */
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
/** What is ended: mail of certain events, all that is told of one conversation, or digests. */
export type UnsubscribeScope = z.output<typeof Scope>;

const Content = z.strictObject({ organizationId: z.uuid(), userId: z.uuid(), scope: Scope });
export type Unsubscribe = z.output<typeof Content>;

/** Where a mail says that it is unsubscribed. */
export function unsubscribeUrl(content: Unsubscribe): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${config.backendUrl}/api/notifications/unsubscribe/${text}.${sign(PURPOSE, text).toString('base64url')}/`;
}

/** @returns null for what we did not sign, or what it is about is no more */
export function openUnsubscribeToken(token: string): Unsubscribe | null {
  const [text = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isSigned(PURPOSE, text, Buffer.from(signature, 'base64url'))) return null;
  return Content.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
}
