/** The steps of a fan-out: each is one page. */
import { inTenant } from '../../models/database/tenancy.js';
import { fanOutNextPage, withdrawNextPage } from '../../models/notifications/fanouts/fanOut.js';
import type { FanoutStatus } from '../../models/notifications/fanouts/NotificationFanout.js';
import type { NotificationFanoutInput } from '../../workflows/contracts/notificationFanout.js';

/** Tells the next people. @returns where it stands: somebody may have called it off */
export const fanOutNext = ({ organizationId, fanoutId }: NotificationFanoutInput): Promise<FanoutStatus> =>
  inTenant(organizationId, () => fanOutNextPage(fanoutId));

/** Takes back the next of what was not sent. @returns whether there is more */
export const withdrawNext = ({ organizationId, fanoutId }: NotificationFanoutInput): Promise<boolean> =>
  inTenant(organizationId, () => withdrawNextPage(fanoutId));
