import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { recordId } from '../../../models/fields.js';
import { person } from '../../organizations/people.js';

export const PlatformAdminQuery = z.object(pageQuery);

export const PlatformAdminGrant = z
  .object({ user: recordId.meta({ description: 'The id of the person, as in `GET /api/platform/users/`.' }) })
  .meta({ id: 'PlatformAdminGrant' });

export const PlatformAdminJson = z.object({ ...person, is_disabled: z.boolean() }).meta({ id: 'PlatformAdmin' });
