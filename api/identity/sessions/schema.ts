import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { moment } from '../../../models/fields.js';

export const SessionQuery = z.object(pageQuery);

export const SessionJson = z
  .object({
    id: z.uuid(),
    client: z.enum(['web', 'native']),
    user_agent: z.string().nullable(),
    ip_address: z.string().nullable(),
    organization: z.uuid().nullable().meta({ description: 'In which it acts; null for platform admins.' }),
    auth_method: z
      .enum(['password', 'passkey', 'saml', 'oauth'])
      .meta({ description: 'The newest proof that it rests on.' }),
    auth_time: moment
      .nullable()
      .meta({ description: 'When that was given; null when the identity provider does not say.' }),
    is_current: z.boolean(),
    created_at: moment,
    last_seen_at: moment.meta({ description: 'When it last got tokens.' }),
    expires_at: moment.meta({ description: 'Unless it is refreshed before.' }),
  })
  .meta({ id: 'Session' });

export const RevokedJson = z.object({ revoked: z.int().meta({ description: 'Sessions that ended.' }) });
