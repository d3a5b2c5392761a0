import { z } from 'zod';
import { createBody, filterFields, rowJson } from '../../../models/database/model/schemas.js';
import { PlatformAlert } from '../../../models/platform/alerts/PlatformAlert.js';
import { ordering, pageQuery } from '../../http/pagination.js';

export const AlertCreate = createBody(PlatformAlert);
export const AlertJson = rowJson(PlatformAlert);

export const AlertsQuery = z.object({
  ...pageQuery,
  ...filterFields(PlatformAlert, ['status', 'audience']),
  // Ids are UUIDs of version 7, which rise with the time of creation.
  ordering: ordering({ created_at: 'platform_alerts.id' }, '-created_at'),
});
