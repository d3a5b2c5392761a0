/** Fields of people in request bodies and responses of the organizations area. */
import { z } from 'zod';
import { email, moment, name } from '../../models/fields.js';

/** Fields of a person in an invitation request. */
export const invitee = {
  email: email.meta({ description: 'Address of an existing account, or of a new person to invite.' }),
  first_name: name(100).optional().meta({ description: 'For a person without an account.' }),
  last_name: name(100).optional().meta({ description: 'For a person without an account.' }),
};

/** A person's address in a response. The SQL function `shownEmail` decides whether it is shown. */
export const shownEmail = z
  .string()
  .nullable()
  .meta({ description: 'Null for a deleted account, and for a person who declined an invitation.' });

/** Fields of a person in a response. */
export const person = { user: z.uuid(), email: shownEmail, first_name: z.string(), last_name: z.string() };

/** The invitation of a person who may not have accepted yet. */
export const invitation = z
  .object({
    state: z.enum(['open', 'expired', 'declined', 'withdrawn']),
    mailed_at: moment.nullable().meta({
      description: 'Null: the address already received its one mail today. The invitation can be mailed another day.',
    }),
    expires_at: moment,
  })
  .meta({ id: 'Invitation' })
  .nullable()
  .meta({
    description: 'Null for people with an account. Until the invitation is accepted, `user` is not an account.',
  });
