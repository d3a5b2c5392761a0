import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { domain } from '../../identity/sso/fields.js';
import { moment } from '../../../models/fields.js';

export const VerifiedDomainsQuery = z.object(pageQuery);

export const NewVerifiedDomain = z
  .strictObject({ domain: domain.meta({ example: 'alpha.edu' }) })
  .meta({ id: 'NewVerifiedDomain', example: { domain: 'alpha.edu' } });

export const VerifiedDomainJson = z
  .object({ id: z.uuid(), domain: z.string(), verified_at: moment, verified_by: z.uuid().nullable() })
  .meta({ id: 'VerifiedDomain' });
