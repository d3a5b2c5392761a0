import { z } from 'zod';
import { rowJson } from '../../../models/database/model/schemas.js';
import { VerifiedDomain } from '../../../models/platform/VerifiedDomain.js';
import { pageQuery } from '../../http/pagination.js';
import { domain } from '../../../models/identity/sso/fields.js';

export const VerifiedDomainsQuery = z.object(pageQuery);

export const NewVerifiedDomain = z
  .strictObject({ domain: domain.meta({ example: 'alpha.edu' }) })
  .meta({ id: 'NewVerifiedDomain', example: { domain: 'alpha.edu' } });

export const VerifiedDomainJson = rowJson(VerifiedDomain);
