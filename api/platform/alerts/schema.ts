import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { PlatformAlert } from '../../../models/platform/alerts/PlatformAlert.js';

export const AlertCreate = createBody(PlatformAlert);
export const AlertJson = rowJson(PlatformAlert);
