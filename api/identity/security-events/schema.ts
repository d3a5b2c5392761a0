import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { moment } from '../../../models/fields.js';

export const SecurityEventQuery = z.object({
  ...pageQuery,
  kind: z
    .string()
    .regex(/^[a-z_]+\.[a-z_]+$/, 'Must look like password.changed.')
    .max(100)
    .optional()
    .meta({ example: 'password.changed' }),
});

export const SecurityEventJson = z
  .object({
    id: z.uuid(),
    kind: z.string().meta({ example: 'session.started' }),
    organization: z.uuid().nullable(),
    session: z.uuid().nullable(),
    ip_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    created_at: moment,
  })
  .meta({ id: 'SecurityEvent' });
