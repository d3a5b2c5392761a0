import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { PushToken } from '../../../models/notifications/push/PushToken.js';
import { pageQuery } from '../../http/pagination.js';

/**
 * APNs tokens are hexadecimal; Apple does not specify their length. FCM tokens have letters, digits, `:`, `-` and `_`.
 * Tokens become parts of URLs.
 */
const VALUES = { ios: /^([0-9a-fA-F]{2}){32,100}$/, android: /^[\w:-]{20,4096}$/ };

export const RegistrationBody = z
  .object({
    ...createBody(PushToken).shape,
    token: z
      .string()
      .min(1)
      .max(4_096)
      .meta({
        description: 'The token that the gateway issued to the app; hexadecimal for `ios`.',
        example: 'ab'.repeat(32),
      }),
  })
  .refine(({ platform, token }) => VALUES[platform].test(token), {
    path: ['token'],
    message: 'Is not a valid token of this platform.',
  })
  .meta({ id: 'PushTokenRegistration' });

export const PushTokenJson = rowJson(PushToken);
export const PushTokenQuery = z.object(pageQuery);
