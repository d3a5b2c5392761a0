import { z } from 'zod';
import { emailAddress, moment } from '../../../models/fields.js';
import { pageQuery } from '../../http/pagination.js';

const email = emailAddress.meta({ example: 'sam@example.org' });

export const EmailQuery = z.object(pageQuery);
export const EmailBody = z.object({ email }).meta({ id: 'NewEmail' });

export const VerificationBody = z
  .object({ token: z.string().min(1).max(200).meta({ description: 'From the mail.' }) })
  .meta({ id: 'EmailVerification' });

export const EmailJson = z
  .object({
    id: z.uuid(),
    email: z.string(),
    is_primary: z.boolean().meta({ description: 'Mail about the account goes there.' }),
    is_verified: z.boolean().meta({ description: 'Only then it signs in, and is matched by identity providers.' }),
    verification_sent_at: moment.nullable(),
    created_at: moment,
  })
  .meta({ id: 'Email' });
