import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { PushToken } from '../../../models/notifications/push/PushToken.js';
import { pageQuery } from '../../http/pagination.js';

/** APNs: hexadecimal, of a length that Apple leaves open. FCM: letters, digits, `:`, `-`, `_`. They become parts of addresses. */
const VALUES = { ios: /^([0-9a-fA-F]{2}){32,100}$/, android: /^[\w:-]{20,4096}$/ };

export const RegistrationBody = z
  .object({
    ...createBody(PushToken).shape,
    token: z
      .string()
      .min(1)
      .max(4_096)
      .meta({ description: 'As the gateway gave it to the app: hexadecimal for `ios`.', example: 'ab'.repeat(32) }),
  })
  .refine(({ platform, token }) => VALUES[platform].test(token), {
    path: ['token'],
    message: 'Is no token of this platform.',
  })
  .meta({ id: 'PushTokenRegistration' });

export const PushTokenJson = rowJson(PushToken);
export const PushTokenQuery = z.object(pageQuery);
