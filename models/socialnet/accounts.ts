/** A person's linked accounts; their tokens never leave the database this way. */
import { decryptIfPossible } from '../database/encryption.js';
import { removeRow } from '../database/model/change.js';
import { loadIfThere, readPage, readRow, type ShownRow } from '../database/model/read.js';
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

/** What it takes to speak through an account. */
export interface OpenAccount {
  accessToken: string;
  /** The network's own id of the person. */
  subject: string;
}

/** The account of a person, opened: for a request to the network alone. @returns null where none is linked, or its token cannot be opened any more */
export async function openAccount(userId: string): Promise<OpenAccount | null> {
  const account = await loadIfThere(SocialAccount, { user_id: userId });
  if (!account) return null;
  const { id: rowId, subject, access_token_encrypted: stored } = account;
  const accessToken = decryptIfPossible(stored, { table: 'social_accounts', column: 'access_token_encrypted', rowId });
  return accessToken === null ? null : { accessToken, subject };
}

/** Forgets an account of the person, and its tokens with it. @throws Refusal not_found */
export async function removeAccount(userId: string, id: string): Promise<void> {
  const { provider } = await removeRow(SocialAccount, { id, user_id: userId });
  const details = { provider, social_account: id };
  await recordSecurityEvent({ userId, kind: 'social_account.removed', details });
}
