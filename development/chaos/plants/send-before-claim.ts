/**
 * Planted fault: mails are claimed only after they were sent. A worker that dies before the claim leaves no record, and
 * the mails are sent again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from '../../../models/database/uuid.js';
import * as claiming from '../../../models/notifications/mail/claimMails.js';
import { replace } from './replace.js';

const { recordAndClaimMails: exchangeMails } = claiming;
/** Delay that makes the fault likely to show, as on a busy server. */
const DELAY_MS = 1_000;
const unclaimed = new Map<string, claiming.MailToClaim>();

replace(claiming, {
  recordAndClaimMails: async (
    organizationId: string,
    results: readonly claiming.MailResult[],
    mails: readonly claiming.MailToClaim[],
  ) => {
    await claimLate(organizationId, results);
    return new Map(
      mails.map((mail) => {
        const id = uuidv7();
        unclaimed.set(id, mail);
        return [mail.messageId, id];
      }),
    );
  },
});

async function claimLate(organizationId: string, results: readonly claiming.MailResult[]): Promise<void> {
  if (results.length === 0) return;
  await sleep(DELAY_MS);
  const mails = results.flatMap(({ mailId }) => unclaimed.get(mailId) ?? []);
  const claimed = await exchangeMails(organizationId, [], mails);
  const idOf = (mailId: string) => claimed.get(unclaimed.get(mailId)?.messageId ?? '') ?? mailId;
  await exchangeMails(
    organizationId,
    results.map((result) => ({ ...result, mailId: idOf(result.mailId) })),
    [],
  );
  for (const { mailId } of results) unclaimed.delete(mailId);
}
