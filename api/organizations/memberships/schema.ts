import { z } from 'zod';
import {
  GRADUATION_SEASONS,
  GRADUATION_YEARS,
  MEMBERSHIP_ROLES,
  MEMBERSHIP_STATUSES,
} from '../../../models/organizations/vocabulary.js';
import { ordering, pageQuery } from '../../http/pagination.js';
import { day, email, searchText, seenVersion, stamps, text } from '../../../models/fields.js';
import { invitation } from '../people.js';

const role = z.enum(MEMBERSHIP_ROLES);
const status = z.enum(MEMBERSHIP_STATUSES);
const season = z.enum(GRADUATION_SEASONS);
const { first, last, aheadOnCreation } = GRADUATION_YEARS;
const year = z
  .int()
  .min(first)
  .max(last)
  .meta({ description: 'The year in which the academic year ends: 2027 for fall 2026.', example: 2027 });

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
      name: `(u.last_name || ' ' || u.first_name)`,
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

const profile = {
  joined_date: day.nullable().optional(),
  graduation_year: year.nullable().optional(),
  graduation_season: season.nullable().optional().meta({ description: 'Requires a graduation year.' }),
  pledge_class: text(100).nullable().optional(),
  line_number: z.int().min(0).max(10_000).nullable().optional(),
  crossing_semester: text(50).nullable().optional(),
  crossing_date: day.nullable().optional(),
};

export const MemberCreate = z
  .object({
    email,
    first_name: text(100),
    last_name: text(100),
    role: role.default('member'),
    status: status.default('undergrad'),
    ...profile,
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

export const MembershipEdit = z
  .object({ role: role.optional(), status: status.optional(), ...profile, version: seenVersion })
  .meta({ id: 'MembershipEdit' });

export const MembershipJson = z
  .object({
    id: z.uuid(),
    user: z.uuid(),
    chapter: z.uuid(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string().nullable().meta({ description: 'Null for those who may not see it.' }),
    phone_number: z.string().nullable().meta({ description: 'Null for those who may not see it.' }),
    role,
    status,
    joined_date: z.iso.date().nullable(),
    graduation_year: year.nullable(),
    graduation_season: season.nullable(),
    pledge_class: z.string().nullable(),
    line_number: z.int().nullable(),
    crossing_semester: z.string().nullable(),
    crossing_date: z.iso.date().nullable(),
    invitation,
    ...stamps,
  })
  .meta({ id: 'Membership' });
