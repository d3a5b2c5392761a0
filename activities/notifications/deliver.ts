/** The steps of the delivery of notifications. Each finds out by itself what is due. */
import { inPlatform, inTenant } from '../../models/database/tenancy.js';
import {
  type ClaimedDelivery,
  claimDeliveries,
  nextDueIn,
} from '../../models/notifications/deliveries/claimDeliveries.js';
import { admitPushes } from '../../models/notifications/push/gatewayState.js';
import { configuredPlatforms } from '../../models/notifications/push/configured.js';
import { recordSkips } from '../../models/notifications/push/recordSkips.js';
import { dueDeliveries } from '../../models/notifications/deliveries/dueDeliveries.js';
import { closeOldMails } from '../../models/notifications/mail/claimMails.js';
import type { Channel } from '../../models/notifications/deliveries/rules.js';
import type { NotificationDeliveryInput } from '../../workflows/contracts/notificationDelivery.js';
import { sendMails } from './sendMails.js';
import { sendPushes } from './sendPushes.js';

/** Deliveries that one statement decides. */
const PAGE = 200;
/** While pages are full, a step goes on for so long: each turn of the workflow costs more than a page's claim. */
const LONGEST_MS = 5_000;

/** Sends what was claimed, and says of each what became of it. What it leaves open is due again when its claim expires. */
export type Send = (organizationId: string, claimed: ClaimedDelivery[]) => Promise<void>;

const SEND: Record<Channel, Send> = { email: sendMails, ios: sendPushes('ios'), android: sendPushes('android') };

/** The channels in which something is due, of all organizations. */
export const listDueDeliveries = dueDeliveries;

/**
 * Decides and delivers what is due, page after page. @returns the seconds until the next is due; null: nothing is soon
 * @throws MailUnavailable
 */
export const deliverNextPage = async ({
  organizationId,
  channel,
}: NotificationDeliveryInput): Promise<number | null> => {
  for (const end = Date.now() + LONGEST_MS; ; ) {
    const { most, seconds } = await admit(channel);
    if (most === 0) return seconds;
    const claimNext = () => inTenant(organizationId, () => claim(channel, most));
    let { claimed, looked } = await claimNext();
    // The one that a resting gateway is tried with is one that is sent.
    while (claimed.length === 0 && looked === most && Date.now() < end) ({ claimed, looked } = await claimNext());
    await SEND[channel](organizationId, claimed);
    if (looked < most || Date.now() > end) break;
  }
  return inTenant(organizationId, () => nextDueIn(channel), { readOnly: true });
};

/** How many deliveries of a channel may be claimed; where that is none, the seconds until some may. */
const admit = async (channel: Channel): Promise<{ most: number; seconds: number }> =>
  channel === 'email' || !configuredPlatforms()[channel]
    ? { most: PAGE, seconds: 0 }
    : inPlatform(() => admitPushes(channel, PAGE));

async function claim(channel: Channel, most: number): Promise<{ claimed: ClaimedDelivery[]; looked: number }> {
  if (channel === 'email') await closeOldMails();
  const { claimed, suppressed, looked } = await claimDeliveries(channel, most);
  if (channel !== 'email') await recordSkips(channel, suppressed);
  return { claimed, looked };
}
