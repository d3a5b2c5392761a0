import { z } from 'zod';
import { REFUSAL_REASONS } from '../../../models/identity/sso/errors.js';
import { pageQuery } from '../../http/pagination.js';
import { moment, recordId } from '../../../models/fields.js';

const reason = z.enum(REFUSAL_REASONS);

export const SsoRefusalFilters = z.object({
  ...pageQuery,
  connection: recordId.optional().meta({ description: 'Id of a SAML or OAuth configuration.' }),
  reason: reason.optional().meta({ example: 'no_account' }),
});

export const SsoRefusalJson = z
  .object({
    id: z.uuid(),
    created_at: moment,
    connection: z.object({ id: z.uuid(), name: z.string(), slug: z.string(), kind: z.enum(['saml', 'oauth']) }),
    reason: reason.meta({ description: 'The `error` parameter of the callback.' }),
    detail: z.string().nullable().meta({ description: 'The check that failed.', example: 'signature_invalid' }),
    request_id: z.string().meta({ description: 'Request id in the log.' }),
  })
  .meta({ id: 'SsoRefusal', description: 'A refused sign-in by an identity provider, without personal data.' });
