/** Fields that several resources of the organizations area have. */
import { z } from 'zod';
import { emailAddress } from '../../models/identity/accounts.js';
import { moment } from '../http/moment.js';

export const recordId = z.uuid().toLowerCase();
export { moment };

/** Of the parameters of every address under an organization. */
export const OrganizationParams = z.object({ id: recordId });

/** What a PATCH may say about the row that its sender saw. */
export const seenVersion = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .optional()
  .meta({ description: 'The version that you have seen; when somebody changed the row since, the answer is 409.' });

export const text = (longest: number) => z.string().trim().min(1, 'Must not be empty.').max(longest);

/** A calendar day that is plausible for people and chapters. */
export const day = z.iso
  .date()
  .refine((value) => value >= '1800-01-01' && value <= '2200-12-31', 'Must be from 1800-01-01 to 2200-12-31.')
  .meta({ example: '2025-09-01' });

export const email = emailAddress.meta({ example: 'sam@example.org' });

/** A query parameter. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const searchText = z.string().trim().max(100).optional();

/** The fields of a person in an invitation. */
export const invitee = {
  email: email.meta({ description: 'Whoever it belongs to, if they are known here; anybody else is invited.' }),
  first_name: text(100).optional().meta({ description: 'For somebody who is not known here.' }),
  last_name: text(100).optional().meta({ description: 'For somebody who is not known here.' }),
};

/** The fields of a person in an answer. */
export const person = { user: z.uuid(), email: z.string(), first_name: z.string(), last_name: z.string() };

/** In an answer about somebody who may not have accepted yet. */
export const invitation = z
  .object({
    state: z.enum(['open', 'expired', 'declined', 'withdrawn']),
    mailed_at: moment.nullable().meta({
      description: 'Null: the address had its mail of the day already, and this can be mailed another day.',
    }),
    expires_at: moment,
  })
  .meta({ id: 'Invitation' })
  .nullable()
  .meta({ description: 'Null for whoever has an account. Until it is accepted, `user` is no account.' });

export const stamps = { version: z.int(), created_at: moment, updated_at: moment };
