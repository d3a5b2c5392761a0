import { z } from 'zod';
import { MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';

export const MemberSearchQuery = z.object({
  q: z.string().trim().max(100).optional().meta({
    description:
      'Required. Beginning or part of a name, or a similar name; for admins also the beginning of an address.',
  }),
  impersonable: z
    .enum(['0', '1', 'true', 'false'])
    .transform((value) => value === '1' || value === 'true')
    .optional()
    .meta({ description: 'Only members whom the caller may impersonate. For admins of the organization.' }),
});

export const MemberSearchJson = z
  .array(
    z
      .object({
        id: z.uuid().meta({ description: 'Id of the membership.' }),
        user: z.uuid(),
        chapter: z.uuid(),
        chapter_name: z.string(),
        first_name: z.string(),
        last_name: z.string(),
        email: z
          .string()
          .nullable()
          .meta({ description: 'Null if the caller may not see it, and for a deleted account.' }),
        role: z.enum(MEMBERSHIP_ROLES),
        status: z.enum(MEMBERSHIP_STATUSES),
      })
      .meta({ id: 'FoundMember' }),
  )
  .max(25);
