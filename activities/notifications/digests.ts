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
  keepSummary,
  nextDigestIn,
  recordDigests,
} from '../../models/notifications/digests/claimDigests.js';
import { isBeingTold, makeDigests, organizationsToDigest } from '../../models/notifications/digests/makeDigests.js';
import { readSending, type Sending } from '../../models/notifications/settings/readSending.js';
import type { NotificationDigestsInput } from '../../workflows/contracts/notificationDigests.js';
import { type Letter, listOf, organizationMail, withMailOf } from './organizationMail.js';

/** Digests claimed at a time; a crash leaves at most these with an unknown outcome. */
const AT_ONCE = 10;
const PATIENCE_MS = 86_400_000;
const AGAIN_SECONDS = 300;
const PATIENCE_FOR_OTHERS_MS = 60_000;
const LOOK_AGAIN_MS = 500;

/** Organizations in which somebody is due a digest on a day, YYYY-MM-DD. */
export const listOrganizationsToDigest = (day: string): Promise<string[]> => organizationsToDigest(day);

/** Creates the digests of the next batch of people. @returns the last person's cursor; null when there are no more */
export const makeNextDigests = async ({
  organizationId,
  day,
  after = null,
}: NotificationDigestsInput & { after?: string | null }): Promise<string | null> => {
  if (after === null) await whatBeganBefore(day);
  return inTenant(organizationId, () => makeDigests(day, after));
};

/** Waits, for a limited time, for transactions that began before the period ended. */
async function whatBeganBefore(day: string): Promise<void> {
  const end = Date.now() + PATIENCE_FOR_OTHERS_MS;
  while ((await inPlatform(() => isBeingTold(day), { readOnly: true })) && Date.now() < end) await sleep(LOOK_AGAIN_MS);
}

/** Mails the digests that are due. @returns seconds until the next one is due; null when none waits */
export const mailNextDigests = async ({ organizationId }: NotificationDigestsInput): Promise<number | null> => {
  const { sending, digests } = await inTenant(organizationId, async () => ({
    sending: await readSending(),
    digests: await claimDigests(AT_ONCE),
  }));
  if (digests.length > 0)
    await withMailOf(organizationId, sending, (port) => send(organizationId, sending, digests, port));
  return inTenant(organizationId, nextDigestIn, { readOnly: true });
};

async function send(organizationId: string, sending: Sending, digests: ClaimedDigest[], port: MailPort): Promise<void> {
  const results = await Promise.all(digests.map((digest) => attempt(organizationId, sending, digest, port)));
  await inTenant(organizationId, () => recordDigests(results, AGAIN_SECONDS));
}

async function attempt(
  organizationId: string,
  sending: Sending,
  given: ClaimedDigest,
  port: MailPort,
): Promise<DigestResult> {
  const digest = sending.aiMayRead ? await summarized(organizationId, given) : given;
  const { mailId } = digest;
  try {
    await port.send(organizationMail(sending, letterOf(organizationId, sending, digest)));
    return { digest, result: { mailId, outcome: 'sent' } };
  } catch (error) {
    if (error instanceof MailRefused)
      return { digest, result: { mailId, outcome: 'failed', status: error.status, ofRecipient: error.ofRecipient } };
    if (!(error instanceof MailUnavailable)) throw error;
    if (error.mayHaveBeenSent) return { digest, result: { mailId, outcome: 'unknown' } };
    const late = Date.now() - digest.createdAt.getTime() > PATIENCE_MS;
    return late ? { digest, result: { mailId, outcome: 'failed' } } : { digest };
  }
}

async function summarized(organizationId: string, digest: ClaimedDigest): Promise<ClaimedDigest> {
  if (digest.summary !== null) return digest;
  const counts: Record<string, number> = {};
  for (const { category } of digest.items) counts[category] = (counts[category] ?? 0) + 1;
  const summary = await summarize({ titles: digest.items.map(({ title }) => title), counts });
  if (summary === null) return digest;
  await inTenant(organizationId, () => keepSummary(digest.id, summary));
  return { ...digest, summary };
}

function letterOf(organizationId: string, { organization }: Sending, digest: ClaimedDigest): Letter {
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
    // Notifications deleted meanwhile are not counted as left out.
    ...listOf(items, items.length + count - named),
    button: { label: 'See all', url: `${config.frontendUrl}/notifications` },
    unsubscribe: { organizationId, userId, scope: { digest: true } },
  };
}
