/** Manages a person's linked accounts of the professional network. No function returns tokens to clients. */
import { decryptIfPossible } from '../database/encryption.js';
import { removeRow } from '../database/model/change.js';
import { loadIfExists, readPage, readRow, type ShownRow } from '../database/model/read.js';
import type { Page, PageRequest } from '../database/page.js';
import { recordSecurityEvent } from '../identity/securityEvents.js';
import { SocialAccount } from './SocialAccount.js';

type ShownAccount = ShownRow<typeof SocialAccount>;

/** Lists a person's accounts, newest first, in one statement. @throws Refusal page_not_found */
export const listAccounts = (userId: string, request: PageRequest): Promise<Page<ShownAccount>> =>
  readPage(SocialAccount, { where: { user_id: userId }, orderBy: 'id DESC', ...request });

/** Reads an account of the person. @throws Refusal not_found */
export const readAccount = (userId: string, id: string): Promise<ShownAccount> =>
  readRow(SocialAccount, { id, user_id: userId });

/** The data for requests to the network in the name of the person. */
export interface AccountAccess {
  accessToken: string;
  /** The network's id of the person. */
  subject: string;
}

/**
 * Decrypts the access token of a person's account. Use it only for requests to the network.
 * @returns null when no account is linked, or its token can no longer be decrypted
 */
export async function decryptAccount(userId: string): Promise<AccountAccess | null> {
  const account = await loadIfExists(SocialAccount, { user_id: userId });
  if (!account) return null;
  const { id: rowId, subject, access_token_encrypted: stored } = account;
  const accessToken = decryptIfPossible(stored, { table: 'social_accounts', column: 'access_token_encrypted', rowId });
  return accessToken === null ? null : { accessToken, subject };
}

/**
 * Removes a person's linked account together with its tokens.
 * @throws Refusal not_found
 */
export async function removeAccount(userId: string, id: string): Promise<void> {
  const { provider } = await removeRow(SocialAccount, { id, user_id: userId });
  const details = { provider, social_account: id };
  await recordSecurityEvent({ userId, kind: 'social_account.removed', details });
}
