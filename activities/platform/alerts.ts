/** Steps of a platform alert. */
import { inPlatform } from '../../models/database/tenancy.js';
import { stopAlert, notifyNextOrganizations } from '../../models/platform/alerts/publishAlert.js';
import type { PlatformAlertInput } from '../../workflows/contracts/platformAlert.js';

/**
 * Notifies the next batch of organizations.
 * @returns the alert's status afterwards
 */
export const tellNext = ({ alertId }: PlatformAlertInput) => notifyNextOrganizations(alertId);

export const cancelAlert = ({ alertId }: PlatformAlertInput): Promise<void> => inPlatform(() => stopAlert(alertId));
