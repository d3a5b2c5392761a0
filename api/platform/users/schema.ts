import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { AccountJson, AccountOrganizationJson } from '../../identity/schema.js';
import { moment } from '../../../models/fields.js';

export const PersonQuery = z.object({
  ...pageQuery,
  q: z
    .string()
    .trim()
    .min(2)
    .max(100)
    .optional()
    .meta({ description: 'What an address or a name begins with, either name first.', example: 'jordan' }),
});

export const PersonJson = AccountJson.extend({
  is_disabled: z.boolean(),
  created_at: moment,
  organizations: z.array(AccountOrganizationJson).meta({ description: 'That let the person in.' }),
}).meta({ id: 'PlatformPerson' });
