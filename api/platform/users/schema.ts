import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { AccountJson, AccountOrganizationJson } from '../../identity/schema.js';
import { shownEmail } from '../../organizations/people.js';
import { moment, text } from '../../../models/fields.js';

export const PersonQuery = z.object({
  ...pageQuery,
  q: z
    .string()
    .trim()
    .min(2)
    .max(100)
    .optional()
    .meta({ description: 'The beginning of an address or a name, either name first.', example: 'jordan' }),
});

export const DisableBody = z
  .object({ leave_without_admin: z.boolean().optional(), reason: text(1000).optional() })
  .refine(({ leave_without_admin, reason }) => !leave_without_admin === (reason === undefined), {
    path: ['reason'],
    message: 'Send a reason exactly when leave_without_admin is true.',
  })
  .meta({
    id: 'DisableAccount',
    description: 'Needed to disable the only admin of an organization; without it the answer is 409 `last_admin`.',
    example: { leave_without_admin: true, reason: 'The account was stolen.' },
  });

export const PersonJson = AccountJson.extend({
  email: shownEmail,
  is_disabled: z.boolean(),
  created_at: moment,
  organizations: z
    .array(AccountOrganizationJson)
    .meta({ description: 'Organizations that the person can sign in to.' }),
}).meta({ id: 'PlatformPerson' });
