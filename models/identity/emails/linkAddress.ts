/** An address whose mailbox has answered elsewhere, and that an organization's admin says is this person's. */
import { firstRow, oneRow, rows } from '../../database/rows.js';
import { noticeEveryAddress } from '../notices/noticePerson.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { MOST_ADDRESSES } from './addEmail.js';
import { emailErrors } from './errors.js';

/** How long the addresses from before can take it back, in seconds. */
export const UNDO_SECONDS = 7 * 24 * 60 * 60;

interface Linking {
  /** Locked. */
  userId: string;
  /** Normalized, and proven by whoever asked. */
  email: string;
  /** In whose name. */
  organization: { id: string; name: string; slug: string };
  /** Takes it back. */
  undoToken: string;
}

/**
 * The person's other addresses are told, with a link that takes it back. An address that is another account's is left alone.
 * @returns the address's id; null for another account's
 * @throws Refusal email_limit
 */
export async function linkAddress({ userId, email, organization, undoToken }: Linking): Promise<string | null> {
  const taken = await firstRow(
    `SELECT FROM user_emails WHERE email = $1 AND is_verified AND user_id <> $2
      UNION ALL SELECT FROM users WHERE email = $1 AND id <> $2`,
    [email, userId],
  );
  if (taken) return null;
  const { count } = await oneRow<{ count: number }>(
    'SELECT count(*)::int AS count FROM user_emails WHERE user_id = $1 AND email <> $2',
    [userId, email],
  );
  if (count >= MOST_ADDRESSES) throw emailErrors.email_limit();
  const facts = { email, organization: organization.name, slug: organization.slug };
  await noticeEveryAddress({
    userId,
    kind: 'address_linked',
    facts,
    secret: undoToken,
    expiresInSeconds: UNDO_SECONDS,
  });
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO user_emails (user_id, email, is_verified, linked_in, linked_at) VALUES ($1, $2, true, $3, now())
     ON CONFLICT (user_id, email) DO UPDATE
       SET is_verified = true, verification_token_hash = NULL, linked_in = excluded.linked_in, linked_at = excluded.linked_at
     RETURNING id`,
    [userId, email, organization.id],
  );
  await recordSecurityEvent({ userId, kind: 'email.linked', ownDetails: { email } });
  return id;
}

/** @returns whether it was still linked */
export async function unlinkAddress(id: string): Promise<boolean> {
  const [done] = await rows<{ done: boolean }>('SELECT app.unlink_address($1) AS done', [id]);
  return done?.done === true;
}
