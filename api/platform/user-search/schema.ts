import { z } from 'zod';
import { AccountJson } from '../../identity/schema.js';
import { shownEmail } from '../../organizations/people.js';
import { PersonQuery } from '../users/schema.js';

export const UserSearchQuery = z.object({ q: PersonQuery.shape.q.unwrap() });

const { id, first_name, last_name, is_platform_admin } = AccountJson.shape;

export const UserSearchJson = z
  .array(
    z
      .object({ id, email: shownEmail, first_name, last_name, is_platform_admin, is_disabled: z.boolean() })
      .meta({ id: 'FoundUser' }),
  )
  .max(25);
