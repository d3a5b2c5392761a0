import { z } from 'zod';
import { pageQuery } from '../../http/pagination.js';
import { domain } from '../../identity/sso/fields.js';
import { moment, recordId } from '../../organizations/fields.js';

export const VerifiedDomainsParams = z.object({ id: recordId });
export const VerifiedDomainParams = z.object({ id: recordId, domain_id: recordId });
export const VerifiedDomainsQuery = z.object(pageQuery);

export const NewVerifiedDomain = z
  .strictObject({ domain: domain.meta({ example: 'alpha.edu' }) })
  .meta({ id: 'NewVerifiedDomain', example: { domain: 'alpha.edu' } });

export const VerifiedDomainJson = z
  .object({ id: z.uuid(), domain: z.string(), verified_at: moment, verified_by: z.uuid().nullable() })
  .meta({ id: 'VerifiedDomain' });
