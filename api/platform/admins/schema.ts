import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { person, recordId } from '../../organizations/fields.js';

export const PlatformAdminParams = z.object({ id: recordId });
export const PlatformAdminQuery = z.object(pageQuery);

export const PlatformAdminGrant = z
  .object({ user: recordId.meta({ description: 'As `GET /api/platform/users/` shows it.' }) })
  .meta({ id: 'PlatformAdminGrant' });

export const PlatformAdminJson = z.object({ ...person, is_disabled: z.boolean() }).meta({ id: 'PlatformAdmin' });
