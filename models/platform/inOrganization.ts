import { inTenant, type TransactionOptions } from '../database/tenancy.js';
import { refuse } from '../errors.js';
import { readOrganization } from '../organizations/readOrganizations.js';

/** Runs a platform admin's work in an organization, in one transaction of that tenant. @throws Refusal not_found */
export const inOrganization = <T>(id: string, work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> =>
  inTenant(
    id,
    async () => {
      if (!(await readOrganization(id))) throw refuse.not_found();
      return work();
    },
    options,
  );
