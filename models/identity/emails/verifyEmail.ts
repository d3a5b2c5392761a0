/** Verifies an address with a mailed token. From then on the address identifies its person. */
import type { Origin } from '../../database/connection.js';
import { changeRow } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { enqueueNoticeToEveryAddress } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { hashToken } from '../secretTokens.js';
import { VERIFICATION_SECONDS } from './addEmail.js';
import { lockPerson } from '../lockPerson.js';
import { emailErrors } from './errors.js';
import { UserEmail } from './UserEmail.js';

interface TokenClaim {
  id: string;
  userId: string;
  email: string;
  expired: boolean;
}

/**
 * Verifies the address to which a token was mailed. Opens two transactions of its own, so that the token is used up
 * even if the second transaction refuses the address.
 * @throws Refusal verification_token_invalid; email_taken when another account has verified the address, or has it as
 * its primary one
 */
export async function verifyEmail(token: string, origin: Origin): Promise<void> {
  const claim = await inPlatform(() => consumeToken(token));
  if (!claim || claim.expired) throw emailErrors.verification_token_invalid();
  await inPlatform(() => confirmAddress(claim), { origin });
}

const consumeToken = (token: string): Promise<TokenClaim | null> =>
  firstRow<TokenClaim>(
    `UPDATE user_emails e SET verification_token_hash = NULL FROM users u
      WHERE e.verification_token_hash = $1 AND u.id = e.user_id AND u.disabled_at IS NULL
      RETURNING e.id, e.user_id AS "userId", e.email,
                e.verification_sent_at <= now() - $2 * interval '1 second' AS expired`,
    [hashToken(token), VERIFICATION_SECONDS],
  );

async function confirmAddress({ id, userId, email }: TokenClaim): Promise<void> {
  await lockPerson(userId);
  const otherOwner = await firstRow(
    `SELECT FROM user_emails WHERE email = $1 AND is_verified AND user_id <> $2
      UNION ALL SELECT FROM users WHERE email = $1 AND id <> $2`,
    [email, userId],
  );
  if (otherOwner) throw emailErrors.email_taken();
  // Enqueue the notice before the address is verified, so that it goes only to the addresses that were verified
  // earlier.
  await enqueueNoticeToEveryAddress({ userId, kind: 'email_added', facts: { email } });
  // If another account verifies the address at the same moment, the unique constraint refuses the second change.
  const verified = await changeRow(UserEmail, { id, is_verified: false }, { is_verified: true });
  if (!verified) throw emailErrors.verification_token_invalid();
  await recordSecurityEvent({ userId, kind: 'email.verified', ownDetails: { email } });
}
