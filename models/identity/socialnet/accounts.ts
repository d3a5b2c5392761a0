/** A person's linked accounts; their tokens never leave the database this way. */
import { refuse } from '../../errors.js';
import type { Page, PageRequest } from '../../database/page.js';
import { firstJson, firstRow, oneRow } from '../../database/rows.js';
import { recordSecurityEvent } from '../securityEvents.js';

export interface SocialAccountRow {
  id: string;
  provider: 'linkedin';
  name: string | null;
  email: string | null;
  created_at: string;
  updated_at: string;
}

const SHOWN = 'id, provider, name, email, created_at, updated_at';

/** The newest first, in one statement. @throws Refusal page_not_found */
export async function listAccounts(userId: string, { page, pageSize }: PageRequest): Promise<Page<SocialAccountRow>> {
  const found = await oneRow<Page<SocialAccountRow>>(
    `SELECT (SELECT count(*)::int FROM social_accounts WHERE user_id = $1) AS count,
            (SELECT coalesce(json_agg(r), '[]') FROM (
               SELECT ${SHOWN} FROM social_accounts WHERE user_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3) r) AS results`,
    [userId, pageSize, (page - 1) * pageSize],
  );
  if (page > 1 && found.results.length === 0) throw refuse.page_not_found();
  return found;
}

/** One of the person's own. @throws Refusal not_found */
export async function readAccount(userId: string, id: string): Promise<SocialAccountRow> {
  const found = await firstJson<SocialAccountRow>(
    `SELECT ${SHOWN} FROM social_accounts WHERE user_id = $1 AND id = $2`,
    [userId, id],
  );
  if (!found) throw refuse.not_found();
  return found;
}

/** Forgets an account of the person, and its tokens with it. @throws Refusal not_found */
export async function removeAccount(userId: string, id: string): Promise<void> {
  const removed = await firstRow<{ provider: string }>(
    'DELETE FROM social_accounts WHERE user_id = $1 AND id = $2 RETURNING provider',
    [userId, id],
  );
  if (!removed) throw refuse.not_found();
  const details = { provider: removed.provider, social_account: id };
  await recordSecurityEvent({ userId, kind: 'social_account.removed', details });
}
