/** A person's linked accounts; their tokens never leave the database this way. */
import { refuse } from '../errors.js';
import { type Page, type PageRequest, selectPlatformPage } from '../database/page.js';
import { firstJson, firstRow } from '../database/rows.js';
import { recordSecurityEvent } from '../identity/securityEvents.js';

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
export function listAccounts(userId: string, request: PageRequest): Promise<Page<SocialAccountRow>> {
  return selectPlatformPage<SocialAccountRow>({
    ...request,
    from: 'social_accounts',
    where: 'user_id = $1',
    values: [userId],
    orderBy: 'id DESC',
    select: SHOWN,
  });
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
