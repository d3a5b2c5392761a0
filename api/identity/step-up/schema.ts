import { z } from 'zod';
import { AuthenticationCredential } from '../passkeys/schema.js';
import { moment } from '../../../models/fields.js';

export const StepUpBody = z
  .object({
    password: z.string().max(1024).optional(),
    passkey: AuthenticationCredential.optional().meta({
      description: 'The answer to a challenge of `POST /api/auth/passkeys/authenticate/begin/`.',
    }),
  })
  .refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
    path: ['password'],
    message: 'Send either a password or a passkey.',
  })
  .meta({ id: 'StepUp', example: { password: 'lantern-orbit-maple' } });

export const SteppedUpJson = z
  .object({
    auth_method: z.enum(['password', 'passkey']),
    auth_time: moment.meta({ description: 'Time of the authentication; it counts as recent for 15 minutes.' }),
  })
  .meta({ id: 'SteppedUp' });
