import { z } from 'zod';
import { tokenFields } from '../schema.js';
import { moment } from '../../../models/fields.js';
import { restoreTokenField } from './restoreCookie.js';

export const ImpersonateBody = z
  .object({
    membership: z.uuid().toLowerCase().meta({ description: 'An active membership in your organization.' }),
    reason: z
      .string()
      .trim()
      .min(1, 'Must not be empty.')
      .max(500)
      .meta({ description: 'Stored in the audit log.', example: 'They cannot find their invoice.' }),
  })
  .meta({ id: 'Impersonate' });

export const StopImpersonatingBody = z.object(restoreTokenField).meta({ id: 'StopImpersonating' });

export const ImpersonationJson = z
  .object({
    membership: z.uuid(),
    user: z.uuid(),
    organization: z.uuid(),
    ends_at: moment.meta({ description: 'Half an hour after the start. Refreshing tokens does not extend it.' }),
    ...tokenFields,
    restore_token: z
      .string()
      .optional()
      .meta({ description: 'Native clients only; browsers get a cookie. Restores your own session.' }),
  })
  .meta({ id: 'Impersonation' });
