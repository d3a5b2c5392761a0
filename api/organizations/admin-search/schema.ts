import { z } from 'zod';
import { shownEmail } from '../people.js';

export const AdminSearchQuery = z.object({
  q: z.string().trim().max(100).optional().meta({
    description: 'Required. Part of a name, or the beginning of an address.',
    example: 'sam',
  }),
});

export const AdminSearchJson = z
  .array(
    z
      .object({
        id: z.uuid().meta({ description: 'Id of the admin row.' }),
        user: z.uuid(),
        first_name: z.string(),
        last_name: z.string(),
        email: shownEmail,
        title: z.string().nullable(),
      })
      .meta({ id: 'FoundAdmin' }),
  )
  .max(25);
