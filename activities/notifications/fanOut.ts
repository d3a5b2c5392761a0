/** Steps of a fan-out; each handles one batch. */
import { inTenant } from '../../models/database/tenancy.js';
import { fanOutNextPage, withdrawNextPage } from '../../models/notifications/fanouts/fanOut.js';
import type { FanoutStatus } from '../../models/notifications/fanouts/NotificationFanout.js';
import type { NotificationFanoutInput } from '../../workflows/contracts/notificationFanout.js';

/**
 * Creates notifications for the next recipients. @returns the fan-out's status, which is `cancelled` if somebody
 * cancelled it
 */
export const fanOutNext = ({ organizationId, fanoutId }: NotificationFanoutInput): Promise<FanoutStatus> =>
  inTenant(organizationId, () => fanOutNextPage(fanoutId));

/** Withdraws the next unsent notifications. @returns whether there is more */
export const withdrawNext = ({ organizationId, fanoutId }: NotificationFanoutInput): Promise<boolean> =>
  inTenant(organizationId, () => withdrawNextPage(fanoutId));
