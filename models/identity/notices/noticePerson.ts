/** Mail about an account: written with what it tells of, sent after the commit by a process. */
import { sendAccountNotice } from '../../../workflows/contracts/index.js';
import { encrypt } from '../../database/encryption.js';
import { enqueue } from '../../database/outbox.js';
import { firstRow, rows } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { verifiedAddresses } from '../emails/addresses.js';
import type { NoticeKind } from './noticeText.js';

export interface Notice {
  userId: string;
  kind: NoticeKind;
  /** Left out: the person's primary address. */
  email?: string;
  /** What the text shows, each in a line of its own: `FACT_LABELS` in noticeText.ts; never a secret. */
  facts?: Record<string, string>;
  /** The token of the mail's link: kept encrypted until it is out. */
  secret?: string;
  /** After that the mail is not sent any more: its secret would open nothing. */
  expiresInSeconds?: number;
}

/** Writes the notice and the intent to mail it in the open transaction. */
export async function noticePerson(notice: Notice): Promise<void> {
  const email = notice.email ?? (await primaryAddress(notice.userId));
  if (email !== null) await writeNotice({ ...notice, email });
}

/** Tells a person at each address that is theirs at this moment, so that whoever changes one of them stays no secret. */
export async function noticeEveryAddress(notice: Omit<Notice, 'email'>): Promise<void> {
  for (const email of await verifiedAddresses(notice.userId)) await writeNotice({ ...notice, email });
}

/** @param notice `userId` null: whoever the address turns out to belong to when it is mailed */
export async function writeNotice(
  notice: Omit<Notice, 'userId' | 'email'> & { userId: string | null; email: string },
): Promise<void> {
  const { userId, kind, email, facts = {}, secret, expiresInSeconds = null } = notice;
  const id = uuidv7();
  await rows(
    `INSERT INTO account_notices (id, user_id, kind, email, facts, secret_encrypted, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')`,
    [
      id,
      userId,
      kind,
      email,
      JSON.stringify(facts),
      secret === undefined ? null : sealed(secret, id),
      expiresInSeconds,
    ],
  );
  await enqueue(sendAccountNotice, { noticeId: id });
}

/** A notice's secret as it is stored. */
export const sealed = (secret: string, noticeId: string): string =>
  encrypt(secret, { table: 'account_notices', column: 'secret_encrypted', rowId: noticeId });

const primaryAddress = async (userId: string): Promise<string | null> =>
  (await firstRow<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))?.email ?? null;
