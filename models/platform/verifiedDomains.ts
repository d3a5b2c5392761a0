/** Verified e-mail domains of organizations. Each operation opens a transaction of the organization's tenant. */
import { audit } from '../database/audit.js';
import type { Origin } from '../database/connection.js';
import { createRow, removeRow } from '../database/model/change.js';
import { readPage, readRow, type ShownRow } from '../database/model/read.js';
import type { Page, PageRequest } from '../database/page.js';
import { inTenant } from '../database/tenancy.js';
import { refuse } from '../errors.js';
import { readOrganization } from '../organizations/readOrganizations.js';
import { VerifiedDomain } from './VerifiedDomain.js';

type ShownDomain = ShownRow<typeof VerifiedDomain>;

/** Lists the verified domains of an organization by domain. @throws Refusal not_found */
export const listVerifiedDomains = (organizationId: string, page: PageRequest): Promise<Page<ShownDomain>> =>
  inTenant(
    organizationId,
    async () => {
      await requireOrganization(organizationId);
      return readPage(VerifiedDomain, { where: {}, orderBy: 'verified_domains.domain', ...page });
    },
    { readOnly: true },
  );

/** Records that a domain belongs to an organization. @throws Refusal not_found, duplicate */
export const addVerifiedDomain = (organizationId: string, domain: string, origin: Origin): Promise<ShownDomain> =>
  inTenant(
    organizationId,
    async () => {
      await requireOrganization(organizationId);
      const { id } = await createRow(VerifiedDomain, { domain, verified_by: origin.userId });
      await auditDomain('verified', id, { after: { domain } });
      return readRow(VerifiedDomain, id);
    },
    { origin },
  );

/**
 * Removes a verified domain. From then on, an address in that domain no longer shows that a person belongs to the
 * organization.
 * @throws Refusal not_found
 */
export const removeVerifiedDomain = (organizationId: string, id: string, origin: Origin): Promise<void> =>
  inTenant(
    organizationId,
    async () => {
      const { domain } = await removeRow(VerifiedDomain, id);
      await auditDomain('withdrawn', id, { before: { domain } });
    },
    { origin },
  );

async function requireOrganization(id: string): Promise<void> {
  if (!(await readOrganization(id))) throw refuse.not_found();
}

const auditDomain = (verb: 'verified' | 'withdrawn', id: string, values: Record<string, Record<string, unknown>>) =>
  audit({ action: `domain.${verb}`, subjectType: 'verified_domain', subjectId: id, ...values });
