/** What bodies and answers of the organizations area say of people. */
import { z } from 'zod';
import { email, moment, name } from '../../models/fields.js';

/** The fields of a person in an invitation. */
export const invitee = {
  email: email.meta({ description: 'Whoever it belongs to, if they are known here; anybody else is invited.' }),
  first_name: name(100).optional().meta({ description: 'For somebody who is not known here.' }),
  last_name: name(100).optional().meta({ description: 'For somebody who is not known here.' }),
};

/** The address of a person in an answer, as `shownEmail` in SQL decides it. */
export const shownEmail = z
  .string()
  .nullable()
  .meta({ description: 'Null of a deleted account, and of somebody who declined an invitation.' });

/** The fields of a person in an answer. */
export const person = { user: z.uuid(), email: shownEmail, first_name: z.string(), last_name: z.string() };

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
