import { createBody, editBody } from '../../../models/database/model/schemas.js';
import { UserQuietHours } from '../../../models/notifications/UserQuietHours.js';

/**
 * An edit has no defaults, because they apply only when the row is created: fields that are left out stay as they are.
 */
export const QuietHoursChange = editBody(UserQuietHours)
  .extend({ timezone: createBody(UserQuietHours).shape.timezone })
  .meta({ id: 'UserQuietHoursEdit' });
