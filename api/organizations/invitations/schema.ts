import { z } from 'zod';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../../models/identity/password/passwordRules.js';
import { pageQuery } from '../../http/pagination.js';
import { AccountOrganizationJson } from '../../identity/schema.js';
import { moment } from '../../../models/fields.js';

const token = z.string().min(1).max(200).meta({ description: 'From the mail.' });

export const AcceptanceBody = z
  .object({
    token,
    password: z
      .string()
      .max(1024)
      .optional()
      .meta({
        description: `For somebody without an account, or without a password of their own: ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, and not easy to guess.`,
      }),
  })
  .meta({ id: 'InvitationAcceptance' });

export const DeclineBody = z.object({ token }).meta({ id: 'InvitationDecline' });

export const JoinedJson = z
  .object({ organization: AccountOrganizationJson })
  .meta({ id: 'JoinedOrganization', description: 'The organization that you belong to from now on.' });

export const OwnInvitationQuery = z.object(pageQuery);

export const OwnInvitationJson = z
  .object({
    id: z.uuid(),
    organization: AccountOrganizationJson,
    kind: z.enum(['member', 'organization_admin', 'regional_admin']),
    chapter: z.string().nullable().meta({ description: 'The name of the chapter, of a membership.' }),
    region: z.string().nullable().meta({ description: 'The name of the region, of an office there.' }),
    role: z.string().nullable(),
    title: z.string().nullable(),
    mailed_at: moment.nullable().meta({ description: 'Null: the address had its mail of the day already.' }),
    expires_at: moment,
  })
  .meta({ id: 'OwnInvitation' });
