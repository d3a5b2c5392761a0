/** Steps of digests: created batch by batch and mailed like any other mail. */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '../../config.js';
import { summarize } from '../../gateways/ai/summarize.js';
import { type MailPort, MailRefused, MailUnavailable } from '../../gateways/mail/port.js';
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import {
  type ClaimedDigest,
  claimDigests,
  type DigestResult,
  saveSummary,
  nextDigestIn,
  recordDigests,
} from '../../models/notifications/digests/claimDigests.js';
import {
  hasOpenTransactions,
  makeDigests,
  organizationsToDigest,
} from '../../models/notifications/digests/makeDigests.js';
import { readMailSender, type MailSender } from '../../models/notifications/settings/readMailSender.js';
import type { NotificationDigestsInput } from '../../workflows/contracts/notificationDigests.js';
import { refusedMail } from './mailResults.js';
import { type Letter, groupByCategory, organizationMail, withMailOf } from './organizationMail.js';

/** Maximum number of digests claimed at a time. A crash leaves at most these with an unknown outcome. */
const BATCH_SIZE = 10;
const GIVE_UP_AFTER_MS = 86_400_000;
const RETRY_SECONDS = 300;
const OPEN_TRANSACTIONS_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 500;

/** Lists the organizations in which at least one person is due a digest on a day (YYYY-MM-DD). */
export const listOrganizationsToDigest = (day: string): Promise<string[]> => organizationsToDigest(day);

/**
 * Creates the digests for the next batch of people.
 * @returns the cursor of the last person; null when there are no more
 */
export const makeNextDigests = async ({
  organizationId,
  day,
  after = null,
}: NotificationDigestsInput & { after?: string | null }): Promise<string | null> => {
  if (after === null) await waitForOpenTransactions(day);
  return inTenant(organizationId, () => makeDigests(day, after));
};

/** Waits, up to a timeout, for transactions that began before the digest period ended. */
async function waitForOpenTransactions(day: string): Promise<void> {
  const end = Date.now() + OPEN_TRANSACTIONS_TIMEOUT_MS;
  while ((await inPlatform(() => hasOpenTransactions(day), { readOnly: true })) && Date.now() < end)
    await sleep(POLL_INTERVAL_MS);
}

/**
 * Mails the digests that are due.
 * @returns seconds until the next digest is due; null when none is pending
 */
export const mailNextDigests = async ({ organizationId }: NotificationDigestsInput): Promise<number | null> => {
  const { sending, digests } = await inTenant(organizationId, async () => ({
    sending: await readMailSender(),
    digests: await claimDigests(BATCH_SIZE),
  }));
  if (digests.length > 0)
    await withMailOf(organizationId, sending, (port) => send(organizationId, sending, digests, port));
  return inTenant(organizationId, nextDigestIn, { readOnly: true });
};

async function send(
  organizationId: string,
  sending: MailSender,
  digests: ClaimedDigest[],
  port: MailPort,
): Promise<void> {
  const results = await Promise.all(digests.map((digest) => attempt(organizationId, sending, digest, port)));
  await inTenant(organizationId, () => recordDigests(results, RETRY_SECONDS));
}

async function attempt(
  organizationId: string,
  sending: MailSender,
  claimed: ClaimedDigest,
  port: MailPort,
): Promise<DigestResult> {
  const digest = sending.aiMayRead ? await withSummary(organizationId, claimed) : claimed;
  const { mailId } = digest;
  try {
    await port.send(organizationMail(sending, letterOf(organizationId, sending, digest)));
    return { digest, result: { mailId, outcome: 'sent' } };
  } catch (error) {
    if (error instanceof MailRefused) return { digest, result: refusedMail(mailId, error) };
    if (!(error instanceof MailUnavailable)) throw error;
    if (error.mayHaveBeenSent) return { digest, result: { mailId, outcome: 'unknown' } };
    const isLate = Date.now() - digest.createdAt.getTime() > GIVE_UP_AFTER_MS;
    return isLate ? { digest, result: { mailId, outcome: 'failed' } } : { digest };
  }
}

async function withSummary(organizationId: string, digest: ClaimedDigest): Promise<ClaimedDigest> {
  if (digest.summary !== null) return digest;
  const counts: Record<string, number> = {};
  for (const { category } of digest.items) counts[category] = (counts[category] ?? 0) + 1;
  const summary = await summarize({ titles: digest.items.map(({ title }) => title), counts });
  if (summary === null) return digest;
  await inTenant(organizationId, () => saveSummary(digest.id, summary));
  return { ...digest, summary };
}

function letterOf(organizationId: string, { organization }: MailSender, digest: ClaimedDigest): Letter {
  const { email, mailId, messageId, firstName, timezone, frequency, userId, summary, items, count, named } = digest;
  return {
    to: email,
    mailId,
    messageId,
    firstName,
    timezone,
    subject: `Your ${frequency} digest of ${organization.name}`,
    title: count === 1 ? 'One notification' : `${count} notifications`,
    paragraphs: summary === null ? [] : [summary],
    // The stated number of omitted notifications excludes those that were deleted in the meantime.
    ...groupByCategory(items, items.length + count - named),
    button: { label: 'See all', url: `${config.frontendUrl}/notifications` },
    unsubscribe: { organizationId, userId, scope: { digest: true } },
  };
}
