import { z } from 'zod';
import { moment, recordId } from '../../../models/fields.js';

export const UserParams = z.object({ organization_id: recordId, user_id: recordId });
export const UserSessionParams = UserParams.extend({ id: recordId });

export const TemporaryPasswordJson = z
  .object({
    temporary_password: z
      .string()
      .meta({ description: 'Shown only in this response. The member must replace it at the first sign-in.' }),
    expires_at: moment.meta({
      description: 'After this time the password is refused with `temporary_password_expired`.',
    }),
  })
  .meta({ id: 'TemporaryPassword' });
