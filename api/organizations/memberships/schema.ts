import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { Membership } from '../../../models/organizations/Membership.js';
import { LONGEST_NOTES } from '../../../models/organizations/requests/columns.js';
import { GRADUATION_YEARS, MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { email, searchText, text } from '../../../models/fields.js';
import { invitation } from '../people.js';

const role = z.enum(MEMBERSHIP_ROLES);
const status = z.enum(MEMBERSHIP_STATUSES);
const { aheadOnCreation } = GRADUATION_YEARS;
const latestOnCreation = (): number => new Date().getUTCFullYear() + aheadOnCreation;

export const RosterFilters = z.object({
  ...pageQuery,
  status: status.optional(),
  role: role.optional(),
  pledge_class: text(100).optional(),
  graduation_year: z
    .string()
    .regex(/^\d{4}$/, 'Must be a year of four digits.')
    .transform(Number)
    .optional(),
  search: searchText.meta({ description: 'In names; in addresses too for those who see them.' }),
  ordering: ordering(
    {
      name: 'n.name',
      joined_date: 'm.joined_date',
      graduation_year: 'm.graduation_year',
      pledge_class: 'm.pledge_class',
      status: 'm.status',
      role: 'm.role',
      created_at: 'm.created_at',
    },
    'name',
    ['joined_date', 'graduation_year', 'pledge_class'],
  ),
});

export const MemberCreate = z
  .object({
    email,
    first_name: text(100),
    last_name: text(100),
    ...createBody(Membership).shape,
    justification: text(LONGEST_NOTES).optional().meta({ description: 'Required where officers add by request.' }),
  })
  .refine(({ graduation_year }) => (graduation_year ?? 0) <= latestOnCreation(), {
    path: ['graduation_year'],
    error: () => `Must be at most ${latestOnCreation()}.`,
  })
  .refine(({ graduation_season, graduation_year }) => !graduation_season || graduation_year, {
    path: ['graduation_season'],
    message: 'A season requires a graduation year.',
  })
  .meta({
    id: 'MemberCreate',
    description:
      'Whoever is known here by this address is a member at once; anybody else is invited, and shown under these names until they answer.',
  });

export const MembershipEdit = editBody(Membership);

const { id, user, chapter, ...rest } = rowJson(Membership).shape;

export const MembershipJson = z
  .object({
    id,
    user,
    chapter,
    first_name: z.string(),
    last_name: z.string(),
    email: z.string().nullable().meta({ description: 'Null for those who may not see it.' }),
    phone_number: z.string().nullable().meta({ description: 'Null for those who may not see it.' }),
    ...rest,
    invitation,
  })
  .meta({ id: 'Membership' });
