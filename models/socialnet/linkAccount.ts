/** Stores an account that the network has confirmed as a person's linked account. */
import { encrypt } from '../database/encryption.js';
import { createRow, editRow, inSeconds, lockForEditIfExists } from '../database/model/change.js';
import { uuidv7 } from '../database/uuid.js';
import { nameFrom } from '../fields.js';
import { enqueueNotice } from '../identity/notices/enqueueNotice.js';
import { requireSession } from '../identity/requireSession.js';
import { recordSecurityEvent } from '../identity/securityEvents.js';
import { socialnetErrors } from './errors.js';
import { SocialAccount } from './SocialAccount.js';

const PROVIDER = 'linkedin';
const PROVIDER_NAME = 'LinkedIn';

export interface NetworkAccount {
  /** The network's id of the person, which never changes. */
  subject: string;
  name: string | null;
  email: string | null;
  accessToken: string;
  refreshToken: string | null;
  /** Lifetime of the access token in seconds; null when the network did not report it. */
  expiresIn: number | null;
}

export interface LinkedAccount {
  userId: string;
  /**
   * The session in which the request was made. It is checked again, because it may have ended while the platform waited
   * for the network.
   */
  sessionId: string;
  account: NetworkAccount;
}

/**
 * Links the account to the person in the caller's transaction, or renews its tokens when it is already linked.
 * @returns its id
 * @throws Refusal session_ended, socialnet_other_account_linked; socialnet_account_taken (unique constraint) if another
 * person has linked it
 */
export async function linkAccount({ userId, sessionId, account }: LinkedAccount): Promise<string> {
  await requireSession(userId, sessionId);
  const existing = await lockForEditIfExists(SocialAccount, { user_id: userId, provider: PROVIDER });
  if (existing && existing.subject !== account.subject) throw socialnetErrors.socialnet_other_account_linked();
  const id = existing?.id ?? uuidv7();
  if (existing) await editRow(existing, columnsOf(id, account));
  else await createRow(SocialAccount, { id, user_id: userId, provider: PROVIDER, ...columnsOf(id, account) });
  const details = { provider: PROVIDER, social_account: id };
  await recordSecurityEvent({ userId, kind: existing ? 'social_account.renewed' : 'social_account.linked', details });
  if (!existing) await enqueueNotice({ userId, kind: 'social_account_linked', facts: { provider: PROVIDER_NAME } });
  return id;
}

function columnsOf(id: string, { subject, name, email, accessToken, refreshToken, expiresIn }: NetworkAccount) {
  const encryptColumn = (column: string, secret: string) =>
    encrypt(secret, { table: 'social_accounts', column, rowId: id });
  return {
    subject,
    name: nameFrom(name, 200),
    email,
    access_token_encrypted: encryptColumn('access_token_encrypted', accessToken),
    refresh_token_encrypted: refreshToken === null ? null : encryptColumn('refresh_token_encrypted', refreshToken),
    token_expires_at: expiresIn === null ? null : inSeconds(expiresIn),
  };
}
