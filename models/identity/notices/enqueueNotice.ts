/**
 * Enqueues mail about accounts: the notice is stored in the caller's transaction, and a workflow sends it after the
 * commit.
 */
import { sendAccountNotice } from '../../../workflows/contracts/index.js';
import { encrypt } from '../../database/encryption.js';
import { pipelinePrepared } from '../../database/preparedQuery.js';
import { findRow } from '../../database/model/read.js';
import { enqueueStatement } from '../../database/outbox.js';
import type { Statement } from '../../database/rows.js';
import { uuidv7 } from '../../database/uuid.js';
import { identityUpstream } from '../upstream.js';
import { verifiedAddresses } from '../emails/addresses.js';
import { User } from '../User.js';
import type { NoticeKind } from './noticeText.js';

export interface Notice {
  userId: string;
  kind: NoticeKind;
  /** The recipient's address. Default: the person's primary address. */
  email?: string;
  /** Facts that the mail shows, each on its own line; `FACT_LABELS` in noticeText.ts names them. Never a secret. */
  facts?: Record<string, string>;
  /** The secret token in the link of the mail. It is stored encrypted until the mail is sent. */
  secret?: string;
  /** After this many seconds the secret has expired, and the mail is no longer sent. */
  expiresInSeconds?: number;
}

/** Stores the notice and an outbox row that starts its workflow, in the open transaction. */
export async function enqueueNotice(notice: Notice): Promise<void> {
  const email = notice.email ?? (await readPrimaryAddress(notice.userId));
  if (email !== null) await notifyInTenant(notice, await writeNotice({ ...notice, email }));
}

/** Enqueues a notice to every verified address of the person, so that a change of one of them cannot stay hidden. */
export async function enqueueNoticeToEveryAddress(notice: Omit<Notice, 'email'>): Promise<void> {
  let firstNoticeId: string | undefined;
  for (const email of await verifiedAddresses(notice.userId)) {
    const noticeId = await writeNotice({ ...notice, email });
    firstNoticeId ??= noticeId;
  }
  if (firstNoticeId !== undefined) await notifyInTenant(notice, firstNoticeId);
}

/** Also notifies the person inside the application, if the notice belongs to the organization of the session. */
const notifyInTenant = ({ kind, userId }: Pick<Notice, 'kind' | 'userId'>, noticeId: string) =>
  identityUpstream().tellOfNotice(kind, userId, noticeId);

/** A notice with its address. `userId` null: the recipient is determined by the address when the mail is sent. */
type AddressedNotice = Omit<Notice, 'userId' | 'email'> & { userId: string | null; email: string };

/**
 * Stores a notice and its outbox row.
 * @returns the id of the notice
 */
export async function writeNotice(notice: AddressedNotice): Promise<string> {
  const { id, statements } = noticeStatements(notice);
  await pipelinePrepared(statements);
  return id;
}

/**
 * Returns the SQL statements that write a notice, for callers that send them together with statements of their own in
 * one round trip.
 */
export function noticeStatements(notice: AddressedNotice): { id: string; statements: Statement[] } {
  const { userId, kind, email, facts = {}, secret, expiresInSeconds = null } = notice;
  const id = uuidv7();
  const sealedSecret = secret === undefined ? null : encryptNoticeSecret(secret, id);
  const values = [id, userId, kind, email, JSON.stringify(facts), sealedSecret, expiresInSeconds];
  return {
    id,
    statements: [{ text: INSERT_NOTICE, values }, enqueueStatement(sendAccountNotice, { noticeId: id }).statement],
  };
}

const INSERT_NOTICE = `
  INSERT INTO account_notices (id, user_id, kind, email, facts, secret_encrypted, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')`;

/**
 * Encrypts the secret of a notice (for example a token) for storage. The result can be decrypted only in the row of
 * this notice.
 */
export const encryptNoticeSecret = (secret: string, noticeId: string): string =>
  encrypt(secret, { table: 'account_notices', column: 'secret_encrypted', rowId: noticeId });

const readPrimaryAddress = async (userId: string): Promise<string | null> =>
  (await findRow(User, userId))?.email ?? null;
