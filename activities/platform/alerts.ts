/** The steps of an alert of the platform. */
import { inPlatform } from '../../models/database/tenancy.js';
import { stopAlert, tellNextOrganizations } from '../../models/platform/alerts/tellOrganizations.js';
import type { PlatformAlertInput } from '../../workflows/contracts/platformAlert.js';

/** Tells the next organizations. @returns where it stands afterwards */
export const tellNext = ({ alertId }: PlatformAlertInput) => tellNextOrganizations(alertId);

/** Calls it off. */
export const cancelAlert = ({ alertId }: PlatformAlertInput): Promise<void> => inPlatform(() => stopAlert(alertId));
