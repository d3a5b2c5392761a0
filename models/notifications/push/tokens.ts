/** A person's phones. The values by which gateways name them never leave the database but to a gateway. */
import { encrypt } from '../../database/encryption.js';
import { changeRow, now } from '../../database/model/change.js';
import { readPage, readRow, type ShownRow } from '../../database/model/read.js';
import type { Page, PageRequest } from '../../database/page.js';
import { firstRow, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { found } from '../../errors.js';
import { requireSession } from '../../identity/requireSession.js';
import { hashToken } from '../../identity/secretTokens.js';
import { type Environment, type Platform, PushToken } from './PushToken.js';

export type ShownToken = ShownRow<typeof PushToken>;

/** Of more phones than these the longest unused are forgotten: nobody makes one notification a thousand pushes. */
const MOST_PHONES = 100;

/** Whose phones: those of a session that an identity provider began are the ones of its organization. */
export interface Holder {
  userId: string;
  confinedTo: string | null;
}

interface Registration extends Holder {
  sessionId: string;
  platform: Platform;
  environment: Environment;
  token: string;
  deviceName: string | null;
}

const ofHolder = ({ userId, confinedTo }: Holder) => ({
  user_id: userId,
  ...(confinedTo === null ? {} : { confined_to: confinedTo }),
});

/**
 * Keeps a phone, for as long as the session is not ended. Whoever had it before has it no more: it is in other hands.
 * @returns the phone, and whether this person did not have it before
 * @throws Refusal session_ended
 */
export async function registerToken(registration: Registration): Promise<{ token: ShownToken; isNew: boolean }> {
  const { userId, sessionId } = registration;
  // Whatever ends the session waits for this, and then ends what it registered.
  await requireSession(userId, sessionId);
  const kept = (await addToken(registration)) ?? (await takeToken(registration)) ?? (await addToken(registration));
  await dropLongestUnused(userId);
  const { id, was_theirs } = found(kept);
  return { token: await readRow(PushToken, { id }), isNew: !was_theirs };
}

interface Kept {
  id: string;
  was_theirs: boolean;
}

/** @returns null when somebody has it */
async function addToken(registration: Registration): Promise<Kept | null> {
  const { userId, sessionId, confinedTo, platform, environment, token, deviceName } = registration;
  const id = uuidv7();
  return firstRow<Kept>(
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

/** @returns null when nobody has it any more */
const takeToken = (registration: Registration): Promise<Kept | null> =>
  firstRow<Kept>(
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

const dropLongestUnused = (userId: string): Promise<unknown> =>
  rows(
    `UPDATE push_tokens SET is_active = false, deactivated_reason = 'replaced', deactivated_at = now()
      WHERE id IN (SELECT id FROM push_tokens WHERE user_id = $1 AND is_active
                    ORDER BY last_registered_at DESC, id DESC OFFSET ${MOST_PHONES})`,
    [userId],
  );

/** The newest first, in one statement. @throws Refusal page_not_found */
export const listTokens = (holder: Holder, request: PageRequest): Promise<Page<ShownToken>> =>
  readPage(PushToken, { where: ofHolder(holder), orderBy: 'id DESC', ...request });

/**
 * Sends nothing there any more, also where a gateway calls it unknown, which may be taken back. May be repeated.
 * @throws Refusal not_found
 */
export async function removeToken(holder: Holder, id: string): Promise<void> {
  const theirs = { id, ...ofHolder(holder) };
  const ended = { is_active: false, deactivated_reason: 'removed', deactivated_at: now } as const;
  const removed =
    (await changeRow(PushToken, { ...theirs, is_active: true }, ended)) ??
    (await changeRow(PushToken, { ...theirs, deactivated_reason: 'unregistered' }, ended));
  if (!removed) await readRow(PushToken, theirs);
}
