/** Steps of a fan-out. Each step handles one batch. */
import { inTenant } from '../../models/database/tenancy.js';
import { fanOutNextBatch, withdrawNextBatch } from '../../models/notifications/fanouts/fanOut.js';
import type { FanoutStatus } from '../../models/notifications/fanouts/NotificationFanout.js';
import type { NotificationFanoutInput } from '../../workflows/contracts/notificationFanout.js';

/**
 * Creates notifications for the next batch of recipients.
 * @returns the fan-out's status; `cancelled` if the fan-out was cancelled
 */
export const fanOutNext = ({ organizationId, fanoutId }: NotificationFanoutInput): Promise<FanoutStatus> =>
  inTenant(organizationId, () => fanOutNextBatch(fanoutId));

/**
 * Withdraws the next batch of unsent notifications.
 * @returns whether more remain
 */
export const withdrawNext = ({ organizationId, fanoutId }: NotificationFanoutInput): Promise<boolean> =>
  inTenant(organizationId, () => withdrawNextBatch(fanoutId));
