/**
 * Reads and closes account notices for the workflow that mails them. A notice is open until it is mailed or abandoned;
 * its secret is deleted then.
 */
import { decrypt } from '../../database/encryption.js';
import { editRow, lockForEditIfExists, now, removeRow } from '../../database/model/change.js';
import { firstRow, rows } from '../../database/rows.js';
import { issueResetToken } from '../password/issueResetToken.js';
import { identityUpstream } from '../upstream.js';
import { AccountNotice, type NOTICE_OUTCOMES } from './AccountNotice.js';
import { encryptNoticeSecret } from './enqueueNotice.js';
import type { NoticeContent, NoticeKind } from './noticeText.js';

export type NoticeOutcome = (typeof NOTICE_OUTCOMES)[number];

export interface OpenNotice extends NoticeContent {
  id: string;
  email: string;
  /**
   * True if the notice's secret has expired or, for a notice without a secret, if it has waited for more than three
   * days.
   */
  expired: boolean;
  outcome: null;
}

export interface ClosedNotice {
  outcome: NoticeOutcome;
}

interface StoredNotice {
  user_id: string | null;
  kind: NoticeKind;
  email: string;
  facts: Record<string, string>;
  secret_encrypted: string | null;
  expired: boolean;
  outcome: NoticeOutcome | null;
  first_name: string | null;
}

/** A notice without an expiry is abandoned after this time if no mail server accepts it. */
const MAX_WAIT = '3 days';

/**
 * Reads the notice that is to be mailed. May issue a token, so the transaction must allow writes.
 * @returns null when there is no recipient
 */
export async function openNotice(id: string): Promise<OpenNotice | ClosedNotice | null> {
  const stored = await firstRow<StoredNotice>(
    `SELECT n.user_id, n.kind, n.email, n.facts, n.secret_encrypted, n.outcome, u.first_name,
            coalesce(n.expires_at, n.created_at + interval '${MAX_WAIT}') <= now() AS expired
       FROM account_notices n LEFT JOIN users u ON u.id = n.user_id WHERE n.id = $1 FOR UPDATE OF n`,
    [id],
  );
  if (!stored) return null;
  const { outcome, kind, email, facts, expired } = stored;
  if (outcome !== null) return { outcome };
  const recipient = await resolveRecipient(id, stored);
  if (!recipient) return null;
  const { firstName, secret, facts: extraFacts = {} } = recipient;
  return { id, kind, email, facts: { ...facts, ...extraFacts }, expired, outcome, firstName, secret };
}

type NoticeRecipient = Pick<NoticeContent, 'firstName' | 'secret'> & Partial<Pick<NoticeContent, 'facts'>>;

async function resolveRecipient(id: string, stored: StoredNotice): Promise<NoticeRecipient | null> {
  const { kind, user_id: userId, email, facts, secret_encrypted, expired, first_name } = stored;
  if (kind === 'password_reset' && secret_encrypted === null && !expired) {
    const issued = await issueResetToken({ id, userId, email });
    // Without an account for the address the notice is deleted, because addresses without an account are not stored.
    if (!issued) await removeRow(AccountNotice, id);
    return issued;
  }
  if (kind === 'donor_link' && secret_encrypted === null && !expired) return resolveDonor(id, stored);
  const encryptionContext = { table: 'account_notices', column: 'secret_encrypted', rowId: id };
  return {
    firstName: first_name ?? facts['first_name'] ?? '',
    secret: secret_encrypted === null ? null : decrypt(secret_encrypted, encryptionContext),
  };
}

/**
 * Has a link issued to the donor with the notice's address. Stores the encrypted token in the notice, so that a retry
 * mails the same link. Without such a donor the notice is deleted, because addresses without a donor are not stored.
 */
async function resolveDonor(id: string, { email, facts }: StoredNotice): Promise<NoticeRecipient | null> {
  const issued = await identityUpstream().issueDonorLink(facts['organization_id'] ?? '', email);
  if (!issued) {
    await removeRow(AccountNotice, id);
    return null;
  }
  await rows('UPDATE account_notices SET secret_encrypted = $2, facts = facts || $3 WHERE id = $1', [
    id,
    encryptNoticeSecret(issued.secret, id),
    JSON.stringify({ ...issued.facts, first_name: issued.firstName }),
  ]);
  return issued;
}

/**
 * Closes a notice and deletes its secret. An outcome that is already stored is kept. A notice without an account is
 * deleted.
 * @returns the notice's outcome; `gone` when it does not exist or was deleted
 */
export async function closeNotice(id: string, requestedOutcome: NoticeOutcome): Promise<NoticeOutcome | 'gone'> {
  const notice = await lockForEditIfExists(AccountNotice, id);
  if (!notice) return 'gone';
  const { user_id, outcome, closed_at } = notice;
  await editRow(notice, { outcome: outcome ?? requestedOutcome, closed_at: closed_at ?? now, secret_encrypted: null });
  if (user_id !== null) return outcome ?? requestedOutcome;
  // Deleting the row loses nothing: a trigger has already reported the outcome to the workflow that waits for it.
  await removeRow(AccountNotice, id);
  return 'gone';
}
