import { inTenant } from '../../models/database/tenancy.js';
import {
  type BulletinStep,
  secondsUntilDue,
  publishEdition,
  withdrawEarlierNotifications,
} from '../../models/organizations/bulletins/publishEdition.js';
import type { PublishBulletinInput } from '../../workflows/contracts/publishBulletin.js';

/**
 * Withdraws the next unsent notifications of an earlier edition.
 * @returns whether more remain
 */
export const withdrawBulletin = ({ organizationId, bulletinId }: PublishBulletinInput): Promise<boolean> =>
  inTenant(organizationId, () => withdrawEarlierNotifications(bulletinId));

/** Returns the seconds until the edition is due; 0 when it need not wait. */
export const untilBulletinIsDue = ({ organizationId, bulletinId, edition }: PublishBulletinInput) =>
  inTenant(organizationId, () => secondsUntilDue(bulletinId, edition));

/** Claims a due edition and notifies its audience, in one transaction. */
export const tellBulletin = ({ organizationId, bulletinId, edition }: PublishBulletinInput): Promise<BulletinStep> =>
  inTenant(organizationId, () => publishEdition(bulletinId, edition));
