import { inTenant } from '../../models/database/tenancy.js';
import {
  type BulletinStep,
  secondsUntilTold,
  tellEdition,
  withdrawEarlier,
} from '../../models/organizations/bulletins/tellBulletin.js';
import type { PublishBulletinInput } from '../../workflows/contracts/publishBulletin.js';

/** Takes back the next of what people were told of another publication. @returns whether there is more */
export const withdrawBulletin = ({ organizationId, bulletinId }: PublishBulletinInput): Promise<boolean> =>
  inTenant(organizationId, () => withdrawEarlier(bulletinId));

/** @returns seconds; 0 of an edition that waits for nothing */
export const untilBulletinIsDue = ({ organizationId, bulletinId, edition }: PublishBulletinInput) =>
  inTenant(organizationId, () => secondsUntilTold(bulletinId, edition));

/** Claims an edition that is due and tells its people, in one transaction. */
export const tellBulletin = ({ organizationId, bulletinId, edition }: PublishBulletinInput): Promise<BulletinStep> =>
  inTenant(organizationId, () => tellEdition(bulletinId, edition));
