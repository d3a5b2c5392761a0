/** Steps of a platform alert. */
import { inPlatform } from '../../models/database/tenancy.js';
import { stopAlert, tellNextOrganizations } from '../../models/platform/alerts/tellOrganizations.js';
import type { PlatformAlertInput } from '../../workflows/contracts/platformAlert.js';

/** Notifies the next organizations. @returns the alert's status afterwards */
export const tellNext = ({ alertId }: PlatformAlertInput) => tellNextOrganizations(alertId);

/** Cancels the alert. */
export const cancelAlert = ({ alertId }: PlatformAlertInput): Promise<void> => inPlatform(() => stopAlert(alertId));
