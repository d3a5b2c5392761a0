/** Steps of notification delivery. Each finds what is due from the rows. */
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

/** Deliveries decided by one statement. */
const PAGE = 200;
/** A step continues for so long while batches are full: a workflow task costs more than claiming a batch. */
const LONGEST_MS = 5_000;

/**
 * Sends the claimed deliveries and records each outcome. A delivery left open is due again when its claim expires.
 */
export type Send = (organizationId: string, claimed: ClaimedDelivery[]) => Promise<void>;

const SEND: Record<Channel, Send> = { email: sendMails, ios: sendPushes('ios'), android: sendPushes('android') };

/** Channels with due deliveries, across all organizations. */
export const listDueDeliveries = dueDeliveries;

/**
 * Decides and delivers what is due, batch by batch. @returns seconds until the next delivery is due; null when none
 * is due soon
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
    // The delivery with which a paused gateway is probed must be one that is sent.
    while (claimed.length === 0 && looked === most && Date.now() < end) ({ claimed, looked } = await claimNext());
    await SEND[channel](organizationId, claimed);
    if (looked < most || Date.now() > end) break;
  }
  return inTenant(organizationId, () => nextDueIn(channel), { readOnly: true });
};

/** Number of deliveries that may be claimed on a channel; if none, the seconds until some may. */
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
