/** Mail about an account: written with what it tells of, sent after the commit by a process. */
import { sendAccountNotice } from '../../../workflows/contracts/index.js';
import { encrypt } from '../../database/encryption.js';
import { createRow, inSeconds } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { uuidv7 } from '../../database/uuid.js';
import { aboveIdentity } from '../above.js';
import { verifiedAddresses } from '../emails/addresses.js';
import { User } from '../User.js';
import { AccountNotice } from './AccountNotice.js';
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
  if (email !== null) await tellHere(notice, await writeNotice({ ...notice, email }));
}

/** Tells a person at each address that is theirs at this moment, so that whoever changes one of them stays no secret. */
export async function noticeEveryAddress(notice: Omit<Notice, 'email'>): Promise<void> {
  let first: string | undefined;
  for (const email of await verifiedAddresses(notice.userId)) {
    const written = await writeNotice({ ...notice, email });
    first ??= written;
  }
  if (first !== undefined) await tellHere(notice, first);
}

/** What belongs to the organization of the session is told there, too. */
const tellHere = ({ kind, userId }: Pick<Notice, 'kind' | 'userId'>, noticeId: string) =>
  aboveIdentity().tellOfNotice(kind, userId, noticeId);

/**
 * @param notice `userId` null: whoever the address turns out to belong to when it is mailed
 * @returns its id
 */
export async function writeNotice(
  notice: Omit<Notice, 'userId' | 'email'> & { userId: string | null; email: string },
): Promise<string> {
  const { userId, kind, email, facts, secret, expiresInSeconds } = notice;
  const id = uuidv7();
  await createRow(AccountNotice, {
    id,
    user_id: userId,
    kind,
    email,
    facts,
    secret_encrypted: secret === undefined ? null : sealed(secret, id),
    expires_at: expiresInSeconds === undefined ? null : inSeconds(expiresInSeconds),
  });
  await enqueue(sendAccountNotice, { noticeId: id });
  return id;
}

/** A notice's secret as it is stored. */
export const sealed = (secret: string, noticeId: string): string =>
  encrypt(secret, { table: 'account_notices', column: 'secret_encrypted', rowId: noticeId });

const primaryAddress = async (userId: string): Promise<string | null> => (await findRow(User, userId))?.email ?? null;
