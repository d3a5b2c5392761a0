import { z } from 'zod';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../../models/identity/passwordRules.js';

export const ChangePasswordBody = z
  .object({
    current_password: z.string().max(1024),
    new_password: z
      .string()
      .max(1024)
      .meta({
        description: `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, and not easy to guess (zxcvbn score 3 or 4).`,
      }),
  })
  .meta({ id: 'PasswordChange' });
