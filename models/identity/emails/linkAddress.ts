/**
 * Links an address to a person because an organization's admin approved it. The caller has already verified the
 * mailbox.
 */
import { firstRow, oneRow, rows } from '../../database/rows.js';
import { enqueueNoticeToEveryAddress } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { MAX_ADDRESSES } from './addEmail.js';
import { emailErrors } from './errors.js';

/** How long the linking can be undone with the link that is mailed to the person's earlier addresses, in seconds. */
export const UNDO_SECONDS = 7 * 24 * 60 * 60;

interface AddressLink {
  /** The person, whose row the caller has locked. */
  userId: string;
  /** The normalized address. The caller has verified that the requester reads its mailbox. */
  email: string;
  /** The organization whose admin links the address. */
  organization: { id: string; name: string; slug: string };
  /** The token with which the linking can be undone. */
  undoToken: string;
}

/**
 * Links the address to the person, and mails the person's other addresses a link with which this can be undone. Does
 * nothing when another account has the address.
 * @returns the address's id; null when another account has the address
 * @throws Refusal email_limit
 */
export async function linkAddress({ userId, email, organization, undoToken }: AddressLink): Promise<string | null> {
  const otherOwner = await firstRow(
    `SELECT FROM user_emails WHERE email = $1 AND is_verified AND user_id <> $2
      UNION ALL SELECT FROM users WHERE email = $1 AND id <> $2`,
    [email, userId],
  );
  if (otherOwner) return null;
  const { count } = await oneRow<{ count: number }>(
    'SELECT count(*)::int AS count FROM user_emails WHERE user_id = $1 AND email <> $2',
    [userId, email],
  );
  if (count >= MAX_ADDRESSES) throw emailErrors.email_limit();
  const facts = { email, organization: organization.name, slug: organization.slug };
  await enqueueNoticeToEveryAddress({
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

/**
 * Unlinks an address and removes everything that its reader may have set up since.
 * @returns whether the address was still linked
 */
export async function unlinkAddress(id: string): Promise<boolean> {
  const [row] = await rows<{ done: boolean }>('SELECT app.unlink_address($1) AS done', [id]);
  return row?.done === true;
}
