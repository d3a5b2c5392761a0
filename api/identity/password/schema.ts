import { z } from 'zod';
import { emailAddress } from '../../../models/fields.js';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../models/identity/password/passwordRules.js';

const newPassword = z
  .string()
  .max(1024)
  .meta({
    description: `${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, and not easy to guess (zxcvbn score 3 or 4).`,
  });

export const ChangePasswordBody = z
  .object({ current_password: z.string().max(1024), new_password: newPassword })
  .meta({ id: 'PasswordChange' });

export const ResetRequestBody = z
  .object({ email: emailAddress.meta({ example: 'jordan@example.org' }) })
  .meta({ id: 'PasswordResetRequest' });

export const ResetBody = z
  .object({
    token: z.string().min(1).max(200).meta({ description: 'The token in the link of the mail.' }),
    new_password: newPassword,
  })
  .meta({ id: 'PasswordReset' });
