import { z } from 'zod';
import { MEMBERSHIP_ROLES, MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';

export const MemberSearchQuery = z.object({
  q: z.string().trim().max(100).optional().meta({
    description: 'Required. What a name begins with, contains or resembles; for admins also how an address begins.',
  }),
  impersonable: z
    .enum(['0', '1', 'true', 'false'])
    .transform((value) => value === '1' || value === 'true')
    .optional()
    .meta({ description: 'Only those whom the caller may impersonate; for admins of the organization.' }),
});

export const MemberSearchJson = z
  .array(
    z
      .object({
        id: z.uuid().meta({ description: 'Of the membership.' }),
        user: z.uuid(),
        chapter: z.uuid(),
        chapter_name: z.string(),
        first_name: z.string(),
        last_name: z.string(),
        email: z
          .string()
          .nullable()
          .meta({ description: 'Null for those who may not see it, and of a deleted account.' }),
        role: z.enum(MEMBERSHIP_ROLES),
        status: z.enum(MEMBERSHIP_STATUSES),
      })
      .meta({ id: 'FoundMember' }),
  )
  .max(25);
