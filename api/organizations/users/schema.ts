import { z } from 'zod';
import { moment, recordId } from '../../../models/fields.js';

export const UserParams = z.object({ organization_id: recordId, user_id: recordId });
export const UserSessionParams = UserParams.extend({ id: recordId });

export const TemporaryPasswordJson = z
  .object({
    temporary_password: z.string().meta({ description: 'Shown once, here. Its person replaces it first of all.' }),
    expires_at: moment.meta({ description: 'From then on it is refused: `temporary_password_expired`.' }),
  })
  .meta({ id: 'TemporaryPassword' });
