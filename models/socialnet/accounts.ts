/** A person's linked accounts; their tokens never leave the database this way. */
import { removeRow } from '../database/model/change.js';
import { readPage, readRow, type ShownRow } from '../database/model/read.js';
import type { Page, PageRequest } from '../database/page.js';
import { recordSecurityEvent } from '../identity/securityEvents.js';
import { SocialAccount } from './SocialAccount.js';

type ShownAccount = ShownRow<typeof SocialAccount>;

/** The newest first, in one statement. @throws Refusal page_not_found */
export const listAccounts = (userId: string, request: PageRequest): Promise<Page<ShownAccount>> =>
  readPage(SocialAccount, { where: { user_id: userId }, orderBy: 'id DESC', ...request });

/** One of the person's own. @throws Refusal not_found */
export const readAccount = (userId: string, id: string): Promise<ShownAccount> =>
  readRow(SocialAccount, { id, user_id: userId });

/** Forgets an account of the person, and its tokens with it. @throws Refusal not_found */
export async function removeAccount(userId: string, id: string): Promise<void> {
  const { provider } = await removeRow(SocialAccount, { id, user_id: userId });
  const details = { provider, social_account: id };
  await recordSecurityEvent({ userId, kind: 'social_account.removed', details });
}
