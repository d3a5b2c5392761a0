/** Keeps what the network answered as a person's account. */
import { encrypt } from '../database/encryption.js';
import { createRow, editRow, inSeconds, lockIfThere } from '../database/model/change.js';
import { uuidv7 } from '../database/uuid.js';
import { nameFrom } from '../fields.js';
import { noticePerson } from '../identity/notices/noticePerson.js';
import { requireSession } from '../identity/requireSession.js';
import { recordSecurityEvent } from '../identity/securityEvents.js';
import { socialnetErrors } from './errors.js';
import { SocialAccount } from './SocialAccount.js';

const PROVIDER = 'linkedin';
const PROVIDER_NAME = 'LinkedIn';

export interface NetworkAccount {
  /** The network's own id of the person, which never changes. */
  subject: string;
  name: string | null;
  email: string | null;
  accessToken: string;
  refreshToken: string | null;
  /** Seconds that the access token holds; null when the network did not say. */
  expiresIn: number | null;
}

export interface LinkedAccount {
  userId: string;
  /** Must still stand: it may have been ended while the network was asked. */
  sessionId: string;
  account: NetworkAccount;
}

/**
 * Links the account in the open transaction, or renews its tokens when it is linked already. @returns its id
 * @throws Refusal session_ended, socialnet_other_account_linked; the database socialnet_account_taken
 */
export async function linkAccount({ userId, sessionId, account }: LinkedAccount): Promise<string> {
  await requireSession(userId, sessionId);
  const before = await lockIfThere(SocialAccount, { user_id: userId, provider: PROVIDER });
  if (before && before.subject !== account.subject) throw socialnetErrors.socialnet_other_account_linked();
  const id = before?.id ?? uuidv7();
  if (before) await editRow(before, columnsOf(id, account));
  else await createRow(SocialAccount, { id, user_id: userId, provider: PROVIDER, ...columnsOf(id, account) });
  const details = { provider: PROVIDER, social_account: id };
  await recordSecurityEvent({ userId, kind: before ? 'social_account.renewed' : 'social_account.linked', details });
  if (!before) await noticePerson({ userId, kind: 'social_account_linked', facts: { provider: PROVIDER_NAME } });
  return id;
}

function columnsOf(id: string, { subject, name, email, accessToken, refreshToken, expiresIn }: NetworkAccount) {
  const sealed = (column: string, secret: string) => encrypt(secret, { table: 'social_accounts', column, rowId: id });
  return {
    subject,
    name: nameFrom(name, 200),
    email,
    access_token_encrypted: sealed('access_token_encrypted', accessToken),
    refresh_token_encrypted: refreshToken === null ? null : sealed('refresh_token_encrypted', refreshToken),
    token_expires_at: expiresIn === null ? null : inSeconds(expiresIn),
  };
}
