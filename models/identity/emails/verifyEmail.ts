/** The mailbox has answered: the address proves its person from now on. */
import type { Origin } from '../../database/connection.js';
import { changeRow } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';
import { noticeEveryAddress } from '../notices/noticePerson.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { hashToken } from '../secretTokens.js';
import { VERIFICATION_SECONDS } from './addEmail.js';
import { lockPerson } from '../lockPerson.js';
import { emailErrors } from './errors.js';
import { UserEmail } from './UserEmail.js';

interface Claim {
  id: string;
  userId: string;
  email: string;
  expired: boolean;
}

/**
 * Opens its own transactions: the token is gone with the first, whatever the second finds.
 * @throws Refusal verification_token_invalid; email_taken when somebody else has proven the address, or has it as primary
 */
export async function verifyEmail(token: string, origin: Origin): Promise<void> {
  const claim = await inPlatform(() => takeClaim(token));
  if (!claim || claim.expired) throw emailErrors.verification_token_invalid();
  await inPlatform(() => confirm(claim), { origin });
}

const takeClaim = (token: string): Promise<Claim | null> =>
  firstRow<Claim>(
    `UPDATE user_emails e SET verification_token_hash = NULL FROM users u
      WHERE e.verification_token_hash = $1 AND u.id = e.user_id AND u.disabled_at IS NULL
      RETURNING e.id, e.user_id AS "userId", e.email,
                e.verification_sent_at <= now() - $2 * interval '1 second' AS expired`,
    [hashToken(token), VERIFICATION_SECONDS],
  );

async function confirm({ id, userId, email }: Claim): Promise<void> {
  await lockPerson(userId);
  const taken = await firstRow(
    `SELECT FROM user_emails WHERE email = $1 AND is_verified AND user_id <> $2
      UNION ALL SELECT FROM users WHERE email = $1 AND id <> $2`,
    [email, userId],
  );
  if (taken) throw emailErrors.email_taken();
  // Those that were theirs before are told, not the new one.
  await noticeEveryAddress({ userId, kind: 'email_added', facts: { email } });
  // Somebody else may prove it in the same moment: then it is theirs, by the constraint.
  const verified = await changeRow(UserEmail, { id, is_verified: false }, { is_verified: true });
  if (!verified) throw emailErrors.verification_token_invalid();
  await recordSecurityEvent({ userId, kind: 'email.verified', ownDetails: { email } });
}
