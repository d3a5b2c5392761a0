import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { moment } from '../schema.js';

export const SessionParams = z.object({ id: z.uuid() });
export const SessionQuery = z.object(pageQuery);

export const SessionJson = z
  .object({
    id: z.uuid(),
    client: z.enum(['web', 'native']),
    user_agent: z.string().nullable(),
    ip_address: z.string().nullable(),
    is_current: z.boolean(),
    created_at: moment,
    last_seen_at: moment.meta({ description: 'When it last got tokens.' }),
    expires_at: moment.meta({ description: 'Unless it is refreshed before.' }),
  })
  .meta({ id: 'Session' });
