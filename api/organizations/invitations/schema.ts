import { z } from 'zod';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../models/identity/password/passwordRules.js';
import { pageQuery } from '../../http/pagination.js';
import { AccountOrganizationJson } from '../../identity/schema.js';
import { moment } from '../../../models/fields.js';

const token = z.string().min(1).max(200).meta({ description: 'The token in the invitation mail.' });

export const AcceptanceBody = z
  .object({
    token,
    password: z
      .string()
      .max(1024)
      .optional()
      .meta({
        description: `Required without an account or own password: ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, and not easy to guess.`,
      }),
  })
  .meta({ id: 'InvitationAcceptance' });

export const DeclineBody = z.object({ token }).meta({ id: 'InvitationDecline' });

export const JoinedJson = z
  .object({ organization: AccountOrganizationJson })
  .meta({ id: 'JoinedOrganization', description: 'The organization that you have joined.' });

export const OwnInvitationQuery = z.object(pageQuery);

export const OwnInvitationJson = z
  .object({
    id: z.uuid(),
    organization: AccountOrganizationJson,
    kind: z.enum(['member', 'organization_admin', 'regional_admin']),
    chapter: z.string().nullable().meta({ description: 'Name of the chapter, for a membership.' }),
    region: z.string().nullable().meta({ description: 'Name of the region, for a regional office.' }),
    role: z.string().nullable(),
    title: z.string().nullable(),
    mailed_at: moment.nullable().meta({ description: 'Null: the address already received its one mail today.' }),
    expires_at: moment,
  })
  .meta({ id: 'OwnInvitation' });
