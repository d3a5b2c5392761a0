/** Keeps what the network answered as a person's account. */
import { encrypt } from '../database/encryption.js';
import { firstRow, rows } from '../database/rows.js';
import { uuidv7 } from '../database/uuid.js';
import { noticePerson } from '../identity/notices/noticePerson.js';
import { requireSession } from '../identity/requireSession.js';
import { recordSecurityEvent } from '../identity/securityEvents.js';
import { socialnetErrors } from './errors.js';

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
  const before = await firstRow<{ id: string; subject: string }>(
    'SELECT id, subject FROM social_accounts WHERE user_id = $1 AND provider = $2',
    [userId, PROVIDER],
  );
  if (before && before.subject !== account.subject) throw socialnetErrors.socialnet_other_account_linked();
  const id = before?.id ?? uuidv7();
  await store(id, userId, account);
  const details = { provider: PROVIDER, social_account: id };
  await recordSecurityEvent({ userId, kind: before ? 'social_account.renewed' : 'social_account.linked', details });
  if (!before) await noticePerson({ userId, kind: 'social_account_linked', facts: { provider: PROVIDER_NAME } });
  return id;
}

async function store(id: string, userId: string, account: NetworkAccount): Promise<void> {
  const sealed = (column: string, secret: string) => encrypt(secret, { table: 'social_accounts', column, rowId: id });
  const { subject, name, email, accessToken, refreshToken, expiresIn } = account;
  await rows(
    `INSERT INTO social_accounts (id, user_id, provider, subject, name, email, access_token_encrypted, refresh_token_encrypted, token_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second')
     ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.name, email = EXCLUDED.email,
       access_token_encrypted = EXCLUDED.access_token_encrypted,
       refresh_token_encrypted = EXCLUDED.refresh_token_encrypted, token_expires_at = EXCLUDED.token_expires_at`,
    [
      id,
      userId,
      PROVIDER,
      subject,
      name,
      email,
      sealed('access_token_encrypted', accessToken),
      refreshToken === null ? null : sealed('refresh_token_encrypted', refreshToken),
      expiresIn,
    ],
  );
}
