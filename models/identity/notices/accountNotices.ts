/** Notices as their process sees them: open until they are mailed or given up, with a secret only until then. */
import { decrypt } from '../../database/encryption.js';
import { editRow, lockIfThere, now, removeRow } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { issueResetToken } from '../password/issueResetToken.js';
import { AccountNotice, type NOTICE_ENDS } from './AccountNotice.js';
import type { NoticeContent, NoticeKind } from './noticeText.js';

export type NoticeEnd = (typeof NOTICE_ENDS)[number];

export interface OpenNotice extends NoticeContent {
  id: string;
  email: string;
  /** Its secret opens nothing any more, or it waited for longer than news lasts. */
  expired: boolean;
  outcome: null;
}

export interface ClosedNotice {
  outcome: NoticeEnd;
}

interface Stored {
  user_id: string | null;
  kind: NoticeKind;
  email: string;
  facts: Record<string, string>;
  secret_encrypted: string | null;
  expired: boolean;
  outcome: NoticeEnd | null;
  first_name: string | null;
}

/** Without an expiry of its own, a notice that no mail server took is given up after this. */
const PATIENCE = '3 days';

/** Reads what is to be mailed, in a transaction that may write. @returns null when there is nobody to mail it to */
export async function openNotice(id: string): Promise<OpenNotice | ClosedNotice | null> {
  const stored = await firstRow<Stored>(
    `SELECT n.user_id, n.kind, n.email, n.facts, n.secret_encrypted, n.outcome, u.first_name,
            coalesce(n.expires_at, n.created_at + interval '${PATIENCE}') <= now() AS expired
       FROM account_notices n LEFT JOIN users u ON u.id = n.user_id WHERE n.id = $1 FOR UPDATE OF n`,
    [id],
  );
  if (!stored) return null;
  const { outcome, kind, email, facts, expired } = stored;
  if (outcome !== null) return { outcome };
  const addressed = await addressedTo(id, stored);
  if (!addressed) return null;
  const { firstName, secret, facts: more = {} } = addressed;
  return { id, kind, email, facts: { ...facts, ...more }, expired, outcome, firstName, secret };
}

type Addressed = Pick<NoticeContent, 'firstName' | 'secret'> & Partial<Pick<NoticeContent, 'facts'>>;

async function addressedTo(id: string, stored: Stored): Promise<Addressed | null> {
  const { kind, user_id: userId, email, secret_encrypted, expired, first_name } = stored;
  if (kind === 'password_reset' && secret_encrypted === null && !expired) {
    const issued = await issueResetToken({ id, userId, email });
    // Addresses of strangers are not kept.
    if (!issued) await removeRow(AccountNotice, id);
    return issued;
  }
  const place = { table: 'account_notices', column: 'secret_encrypted', rowId: id };
  return { firstName: first_name ?? '', secret: secret_encrypted === null ? null : decrypt(secret_encrypted, place) };
}

/** Closes a notice and drops its secret, once; one that is nobody's goes. @returns how it ended; `gone`: it is not there */
export async function closeNotice(id: string, end: NoticeEnd): Promise<NoticeEnd | 'gone'> {
  const notice = await lockIfThere(AccountNotice, id);
  if (!notice) return 'gone';
  const { user_id, outcome, closed_at } = notice;
  await editRow(notice, { outcome: outcome ?? end, closed_at: closed_at ?? now, secret_encrypted: null });
  if (user_id !== null) return outcome ?? end;
  // Whatever waits for its end has heard of it by a trigger.
  await removeRow(AccountNotice, id);
  return 'gone';
}
