/** Mail about an account: written with what it tells of, sent after the commit by a process. */
import { sendAccountNotice } from '../../../workflows/contracts/index.js';
import { encrypt } from '../../database/encryption.js';
import { keptRowsOf } from '../../database/keptRows.js';
import { findRow } from '../../database/model/read.js';
import { enqueueing } from '../../database/outbox.js';
import type { Statement } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { aboveIdentity } from '../above.js';
import { verifiedAddresses } from '../emails/addresses.js';
import { User } from '../User.js';
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

/** `userId` null: whoever the address turns out to belong to when it is mailed. */
type Addressed = Omit<Notice, 'userId' | 'email'> & { userId: string | null; email: string };

/** @returns its id */
export async function writeNotice(notice: Addressed): Promise<string> {
  const { id, statements } = noticing(notice);
  await keptRowsOf(statements);
  return id;
}

/** The same, for whoever writes more in the same message. */
export function noticing(notice: Addressed): { id: string; statements: Statement[] } {
  const { userId, kind, email, facts = {}, secret, expiresInSeconds = null } = notice;
  const id = uuidv7();
  const sealedSecret = secret === undefined ? null : sealed(secret, id);
  const values = [id, userId, kind, email, JSON.stringify(facts), sealedSecret, expiresInSeconds];
  return { id, statements: [{ text: WRITE, values }, enqueueing(sendAccountNotice, { noticeId: id }).statement] };
}

const WRITE = `
  INSERT INTO account_notices (id, user_id, kind, email, facts, secret_encrypted, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')`;

/** A notice's secret as it is stored. */
export const sealed = (secret: string, noticeId: string): string =>
  encrypt(secret, { table: 'account_notices', column: 'secret_encrypted', rowId: noticeId });

const primaryAddress = async (userId: string): Promise<string | null> => (await findRow(User, userId))?.email ?? null;
