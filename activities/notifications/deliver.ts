/** Steps of notification delivery. Each step reads from the rows which deliveries are due. */
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

/** Maximum number of deliveries claimed by one statement. */
const BATCH_SIZE = 200;
/** A step continues for this time while batches are full, because a workflow task costs more than claiming a batch. */
const MAX_STEP_MS = 5_000;

/**
 * Sends the claimed deliveries and records each outcome. A delivery that stays open is due again when its claim
 * expires.
 */
export type Send = (organizationId: string, claimed: ClaimedDelivery[]) => Promise<void>;

const SENDERS: Record<Channel, Send> = { email: sendMails, ios: sendPushes('ios'), android: sendPushes('android') };

/** Lists channels with due deliveries, across all organizations. */
export const listDueDeliveries = dueDeliveries;

/**
 * Claims and sends due deliveries, batch by batch.
 * @returns seconds until the next delivery is due; null when none is due soon
 */
export const deliverNextPage = async ({
  organizationId,
  channel,
}: NotificationDeliveryInput): Promise<number | null> => {
  for (const end = Date.now() + MAX_STEP_MS; ; ) {
    const { limit, seconds } = await admitDeliveries(channel);
    if (limit === 0) return seconds;
    const claimNext = () => inTenant(organizationId, () => claimBatch(channel, limit));
    let { claimed, evaluated } = await claimNext();
    // While a push gateway is paused, only one delivery is claimed, as a probe of the gateway. If that delivery is
    // suppressed, it is not sent and probes nothing, so the next one is claimed.
    while (claimed.length === 0 && evaluated === limit && Date.now() < end)
      ({ claimed, evaluated } = await claimNext());
    await SENDERS[channel](organizationId, claimed);
    if (evaluated < limit || Date.now() > end) break;
  }
  return inTenant(organizationId, () => nextDueIn(channel), { readOnly: true });
};

/** Returns the number of deliveries that may be claimed on a channel; if it is 0, also the seconds to wait. */
const admitDeliveries = async (channel: Channel): Promise<{ limit: number; seconds: number }> =>
  channel === 'email' || !configuredPlatforms()[channel]
    ? { limit: BATCH_SIZE, seconds: 0 }
    : inPlatform(() => admitPushes(channel, BATCH_SIZE));

async function claimBatch(channel: Channel, limit: number): Promise<{ claimed: ClaimedDelivery[]; evaluated: number }> {
  if (channel === 'email') await closeOldMails();
  const { claimed, suppressed, evaluated } = await claimDeliveries(channel, limit);
  if (channel !== 'email') await recordSkips(channel, suppressed);
  return { claimed, evaluated };
}
