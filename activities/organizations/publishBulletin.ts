import { inTenant } from '../../models/database/tenancy.js';
import {
  type BulletinStep,
  secondsUntilTold,
  tellEdition,
  withdrawEarlier,
} from '../../models/organizations/bulletins/tellBulletin.js';
import type { PublishBulletinInput } from '../../workflows/contracts/publishBulletin.js';

/** Withdraws the next unsent notifications of an earlier edition. @returns whether there is more */
export const withdrawBulletin = ({ organizationId, bulletinId }: PublishBulletinInput): Promise<boolean> =>
  inTenant(organizationId, () => withdrawEarlier(bulletinId));

/** @returns seconds until the edition is due; 0 when it waits for nothing */
export const untilBulletinIsDue = ({ organizationId, bulletinId, edition }: PublishBulletinInput) =>
  inTenant(organizationId, () => secondsUntilTold(bulletinId, edition));

/** Claims a due edition and notifies its audience, in one transaction. */
export const tellBulletin = ({ organizationId, bulletinId, edition }: PublishBulletinInput): Promise<BulletinStep> =>
  inTenant(organizationId, () => tellEdition(bulletinId, edition));
