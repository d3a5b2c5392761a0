/** Lists, renames and removes a person's passkeys. */
import { removeRow } from '../../database/model/change.js';
import { readPage, shownSql, type ShownRow } from '../../database/model/read.js';
import type { Page, PageRequest } from '../../database/page.js';
import { firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { type InSession, requireSession } from '../requireSession.js';
import { enqueueNotice } from '../notices/enqueueNotice.js';
import { recordSecurityEvent } from '../securityEvents.js';
import { passkeyErrors } from './errors.js';
import { Passkey } from './Passkey.js';

export type ShownPasskey = ShownRow<typeof Passkey>;

/**
 * Lists the passkeys, the newest first, in one statement.
 * @throws Refusal page_not_found
 */
export const listPasskeys = (userId: string, request: PageRequest): Promise<Page<ShownPasskey>> =>
  readPage(Passkey, { where: { user_id: userId }, orderBy: 'id DESC', ...request });

/**
 * Renames a passkey.
 * @throws Refusal not_found
 */
export async function renamePasskey(userId: string, id: string, name: string): Promise<ShownPasskey> {
  const renamed = await firstRow<{ passkey: ShownPasskey }>(
    `WITH renamed AS (UPDATE webauthn_credentials SET name = $3 WHERE id = $2 AND user_id = $1 RETURNING *)
     SELECT to_json(one) AS passkey FROM (SELECT ${shownSql(Passkey)} FROM renamed webauthn_credentials) one`,
    [userId, id, name],
  );
  if (!renamed) throw refuse.not_found();
  await recordSecurityEvent({ userId, kind: 'passkey.renamed', details: { passkey: id } });
  return renamed.passkey;
}

/**
 * Removes a passkey, but never the last way to sign in. One that must be registered again can always be removed.
 * @throws Refusal session_ended, not_found, last_sign_in_method
 */
export async function removePasskey({ userId, sessionId }: InSession, id: string): Promise<void> {
  // The lock on the person serializes two removals: the second sees the result of the first.
  await requireSession(userId, sessionId);
  const passkey = await firstRow<{ name: string; is_last: boolean }>(
    `SELECT c.name, c.needs_reenrollment_at IS NULL AND NOT (
              u.password_hash IS NOT NULL
              OR EXISTS (SELECT FROM webauthn_credentials other WHERE other.user_id = u.id AND other.id <> c.id
                            AND other.needs_reenrollment_at IS NULL)
              OR EXISTS (SELECT FROM sso_identities i JOIN sso_connections way ON way.id = i.connection_id
                          WHERE i.user_id = u.id AND way.is_active)) AS is_last
       FROM webauthn_credentials c JOIN users u ON u.id = c.user_id WHERE c.id = $2 AND c.user_id = $1`,
    [userId, id],
  );
  if (!passkey) throw refuse.not_found();
  if (passkey.is_last) throw passkeyErrors.last_sign_in_method();
  await removeRow(Passkey, id);
  await recordSecurityEvent({ userId, kind: 'passkey.removed', details: { passkey: id } });
  await enqueueNotice({ userId, kind: 'passkey_removed', facts: { passkey: passkey.name } });
}
