/** The steps of the delivery of notifications. Each finds out by itself what is due. */
import { inTenant } from '../../models/database/tenancy.js';
import {
  type ClaimedDelivery,
  claimDeliveries,
  nextDueIn,
} from '../../models/notifications/deliveries/claimDeliveries.js';
import { dueDeliveries } from '../../models/notifications/deliveries/dueDeliveries.js';
import { closeOldMails } from '../../models/notifications/mail/claimMails.js';
import type { Channel } from '../../models/notifications/deliveries/rules.js';
import type { NotificationDeliveryInput } from '../../workflows/contracts/notificationDelivery.js';
import { heartbeating } from '../heartbeating.js';
import { sendMails } from './sendMails.js';

/** Deliveries that one statement decides. */
const PAGE = 200;

/** Sends what was claimed, and says of each what became of it. What it leaves open is due again when its claim expires. */
export type Send = (organizationId: string, claimed: ClaimedDelivery[]) => Promise<void>;

const SEND: Partial<Record<Channel, Send>> = { email: sendMails };

/** The channels in which something is due, of all organizations. */
export const listDueDeliveries = dueDeliveries;

/**
 * Decides and delivers a page of what is due. @returns the seconds until the next is due; null: nothing is soon
 * @throws MailUnavailable
 */
export const deliverNextPage = ({ organizationId, channel }: NotificationDeliveryInput): Promise<number | null> =>
  heartbeating(async () => {
    const { claimed } = await inTenant(organizationId, async () => {
      if (channel === 'email') await closeOldMails();
      return claimDeliveries(channel, PAGE);
    });
    await SEND[channel]?.(organizationId, claimed);
    return inTenant(organizationId, () => nextDueIn(channel), { readOnly: true });
  });
