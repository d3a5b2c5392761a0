import { z } from 'zod';
import { emailAddress, moment } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';

const email = emailAddress.meta({ example: 'sam@example.org' });

export const EmailQuery = z.object(pageQuery);
export const EmailBody = z.object({ email }).meta({ id: 'NewEmail' });

export const VerificationBody = z
  .object({ token: z.string().min(1).max(200).meta({ description: 'The token in the link of the mail.' }) })
  .meta({ id: 'EmailVerification' });

export const EmailJson = z
  .object({
    id: z.uuid(),
    email: z.string(),
    is_primary: z.boolean().meta({ description: 'Whether mail about the account goes to it.' }),
    is_verified: z.boolean().meta({
      description: 'Whether it is verified. Only verified addresses can sign in and are matched by identity providers.',
    }),
    verification_sent_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'Email' });
