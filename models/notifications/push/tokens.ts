/**
 * The phones on which a person gets pushes. Their push tokens are stored encrypted and are sent only to the gateways.
 */
import { encrypt } from '../../database/encryption.js';
import { changeRow, now } from '../../database/model/change.js';
import { readPage, readRow, type ShownRow } from '../../database/model/read.js';
import type { Page, PageRequest } from '../../database/page.js';
import { firstRow, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { requireFound } from '../../errors.js';
import { requireSession } from '../../identity/requireSession.js';
import { hashToken } from '../../identity/secretTokens.js';
import { type Environment, type Platform, PushToken } from './PushToken.js';

export type ShownToken = ShownRow<typeof PushToken>;

/**
 * Maximum number of active phones per person, which limits the pushes for one notification. If a person has more, those
 * that registered longest ago are deactivated.
 */
const MAX_PHONES = 100;

/**
 * The person whose phones are read or changed. In a session that an identity provider began, only the phones registered
 * for that organization are visible.
 */
export interface TokenOwner {
  userId: string;
  confinedTo: string | null;
}

interface Registration extends TokenOwner {
  sessionId: string;
  platform: Platform;
  environment: Environment;
  token: string;
  deviceName: string | null;
}

const ownedBy = ({ userId, confinedTo }: TokenOwner) => ({
  user_id: userId,
  ...(confinedTo === null ? {} : { confined_to: confinedTo }),
});

/**
 * Registers a phone until its session ends. If another person registered it before, it is reassigned, because the phone
 * has a new user.
 * @returns the phone, and whether it is new for this person
 * @throws Refusal session_ended
 */
export async function registerToken(registration: Registration): Promise<{ token: ShownToken; isNew: boolean }> {
  const { userId, sessionId } = registration;
  // Locks the person. A concurrent `revokeOtherSessions` waits for this transaction; its trigger then also deactivates
  // the new token.
  await requireSession(userId, sessionId);
  const stored =
    (await addToken(registration)) ?? (await reassignToken(registration)) ?? (await addToken(registration));
  await deactivateOldest(userId);
  const { id, was_theirs } = requireFound(stored);
  return { token: await readRow(PushToken, { id }), isNew: !was_theirs };
}

interface StoredToken {
  id: string;
  was_theirs: boolean;
}

/**
 * Inserts a token.
 * @returns null if the token is registered already
 */
async function addToken(registration: Registration): Promise<StoredToken | null> {
  const { userId, sessionId, confinedTo, platform, environment, token, deviceName } = registration;
  const id = uuidv7();
  return firstRow<StoredToken>(
    `INSERT INTO push_tokens (id, user_id, session_id, confined_to, platform, environment, token_encrypted, token_hash, device_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (token_hash) DO NOTHING RETURNING id, false AS was_theirs`,
    [
      id,
      userId,
      sessionId,
      confinedTo,
      platform,
      environment,
      encrypt(token, { table: 'push_tokens', column: 'token_encrypted', rowId: id }),
      hashOf(registration),
      deviceName,
    ],
  );
}

/**
 * Assigns an existing token to a new owner.
 * @returns null if the token does not exist any more
 */
const reassignToken = (registration: Registration): Promise<StoredToken | null> =>
  firstRow<StoredToken>(
    `WITH before AS (SELECT id, user_id FROM push_tokens WHERE token_hash = $1 FOR UPDATE)
     UPDATE push_tokens t SET user_id = $2, session_id = $3, confined_to = $4, environment = $5, device_name = $6,
            is_active = true, deactivated_reason = NULL, deactivated_at = NULL, last_registered_at = now()
       FROM before WHERE t.id = before.id RETURNING t.id, before.user_id = $2 AS was_theirs`,
    [
      hashOf(registration),
      registration.userId,
      registration.sessionId,
      registration.confinedTo,
      registration.environment,
      registration.deviceName,
    ],
  );

const hashOf = ({ platform, token }: Registration): string => hashToken(`${platform}:${token}`);

const deactivateOldest = (userId: string): Promise<unknown> =>
  rows(
    `UPDATE push_tokens SET is_active = false, deactivated_reason = 'replaced', deactivated_at = now()
      WHERE id IN (SELECT id FROM push_tokens WHERE user_id = $1 AND is_active
                    ORDER BY last_registered_at DESC, id DESC OFFSET ${MAX_PHONES})`,
    [userId],
  );

/**
 * Lists phones, newest first, in one statement.
 * @throws Refusal page_not_found
 */
export const listTokens = (holder: TokenOwner, request: PageRequest): Promise<Page<ShownToken>> =>
  readPage(PushToken, { where: ownedBy(holder), orderBy: 'id DESC', ...request });

/**
 * Deactivates a phone for good. This includes phones that a gateway reported as unregistered, because those could be
 * reactivated otherwise. A repeated call changes nothing.
 * @throws Refusal not_found
 */
export async function removeToken(holder: TokenOwner, id: string): Promise<void> {
  const ownRow = { id, ...ownedBy(holder) };
  const removal = { is_active: false, deactivated_reason: 'removed', deactivated_at: now } as const;
  const removed =
    (await changeRow(PushToken, { ...ownRow, is_active: true }, removal)) ??
    (await changeRow(PushToken, { ...ownRow, deactivated_reason: 'unregistered' }, removal));
  if (!removed) await readRow(PushToken, ownRow);
}
