import { createBody, editBody } from '../../../models/database/model/schemas.js';
import { UserQuietHours } from '../../../models/notifications/UserQuietHours.js';

/** Defaults are for the row's creation: a change keeps what it leaves out. */
export const QuietHoursChange = editBody(UserQuietHours)
  .extend({ timezone: createBody(UserQuietHours).shape.timezone })
  .meta({ id: 'UserQuietHoursEdit' });
