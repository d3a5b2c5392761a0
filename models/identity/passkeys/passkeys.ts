/** The passkeys that a person has: list, name, remove. */
import { type Page, type PageRequest, selectPlatformPage } from '../../database/page.js';
import { firstRow, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { lockPerson } from '../lockPerson.js';
import { noticePerson } from '../notices/noticePerson.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { passkeyErrors } from './errors.js';

export interface Passkey {
  id: string;
  name: string;
  is_synced: boolean;
  needs_reenrollment: boolean;
  created_at: string;
  last_used_at: string | null;
}

/** Columns of a Passkey; the key itself is nobody's business. */
export const PASSKEY_COLUMNS =
  'id, name, is_synced, needs_reenrollment_at IS NOT NULL AS needs_reenrollment, created_at, last_used_at';

/** The newest first, in one statement. @throws Refusal page_not_found */
export function listPasskeys(userId: string, request: PageRequest): Promise<Page<Passkey>> {
  return selectPlatformPage<Passkey>({
    ...request,
    from: 'webauthn_credentials',
    where: 'user_id = $1',
    values: [userId],
    orderBy: 'id DESC',
    select: PASSKEY_COLUMNS,
  });
}

/** @throws Refusal not_found */
export async function renamePasskey(userId: string, id: string, name: string): Promise<Passkey> {
  const renamed = await firstRow<{ passkey: Passkey }>(
    `WITH renamed AS (UPDATE webauthn_credentials SET name = $3 WHERE id = $2 AND user_id = $1 RETURNING *)
     SELECT to_json(one) AS passkey FROM (SELECT ${PASSKEY_COLUMNS} FROM renamed) one`,
    [userId, id, name],
  );
  if (!renamed) throw refuse.not_found();
  await recordSecurityEvent({ userId, kind: 'passkey.renamed', details: { passkey: id } });
  return renamed.passkey;
}

/**
 * Removes a passkey, never the last way to sign in; one that signs nobody in any more always goes.
 * @throws Refusal not_found, last_sign_in_method
 */
export async function removePasskey(userId: string, id: string): Promise<void> {
  // Of two removals at once the second sees what the first has left.
  await lockPerson(userId);
  const found = await firstRow<{ name: string; is_last: boolean }>(
    `SELECT c.name, c.needs_reenrollment_at IS NULL AND NOT (
              u.password_hash IS NOT NULL
              OR EXISTS (SELECT FROM webauthn_credentials other WHERE other.user_id = u.id AND other.id <> c.id
                            AND other.needs_reenrollment_at IS NULL)
              OR EXISTS (SELECT FROM sso_identities i JOIN sso_connections way ON way.id = i.connection_id
                          WHERE i.user_id = u.id AND way.is_active)) AS is_last
       FROM webauthn_credentials c JOIN users u ON u.id = c.user_id WHERE c.id = $2 AND c.user_id = $1`,
    [userId, id],
  );
  if (!found) throw refuse.not_found();
  if (found.is_last) throw passkeyErrors.last_sign_in_method();
  await rows('DELETE FROM webauthn_credentials WHERE id = $1', [id]);
  await recordSecurityEvent({ userId, kind: 'passkey.removed', details: { passkey: id } });
  await noticePerson({ userId, kind: 'passkey_removed', facts: { passkey: found.name } });
}
