/** E-mail domains that the platform has seen to be an organization's. Each operation opens a transaction of that tenant. */
import { audit } from '../database/audit.js';
import type { Origin } from '../database/connection.js';
import { type Page, type PageRequest, selectPage } from '../database/page.js';
import { currentOrganization, firstJson, firstRow } from '../database/rows.js';
import { inTenant } from '../database/tenancy.js';
import { refuse } from '../errors.js';
import { readOrganization } from '../organizations/readOrganizations.js';

export interface VerifiedDomain {
  id: string;
  domain: string;
  verified_at: string;
  /** The platform admin who saw to it; null once that account is gone. */
  verified_by: string | null;
}

const COLUMNS = 'd.id, d.domain, d.verified_at, d.verified_by';

/** By domain. @throws Refusal not_found */
export const listVerifiedDomains = (organizationId: string, page: PageRequest): Promise<Page<VerifiedDomain>> =>
  inTenant(
    organizationId,
    async () => {
      await requireOrganization(organizationId);
      return selectPage<VerifiedDomain>({
        from: 'verified_domains d',
        where: 'd.organization_id = $1',
        values: [organizationId],
        orderBy: 'd.domain',
        key: 'd.id',
        select: COLUMNS,
        ...page,
      });
    },
    { readOnly: true },
  );

/** @throws Refusal not_found, duplicate */
export const addVerifiedDomain = (organizationId: string, domain: string, origin: Origin): Promise<VerifiedDomain> =>
  inTenant(
    organizationId,
    async () => {
      await requireOrganization(organizationId);
      const made = await firstRow<{ id: string }>(
        `INSERT INTO verified_domains (organization_id, domain, verified_by) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT verified_domains_unique DO NOTHING RETURNING id`,
        [organizationId, domain, origin.userId],
      );
      if (!made) throw refuse.duplicate('This domain is verified already.', { domain: ['Is verified already.'] });
      await auditDomain('verified', made.id, { after: { domain } });
      return readVerifiedDomain(made.id);
    },
    { origin },
  );

/** From then on nobody's address there counts for its sake. @throws Refusal not_found */
export const removeVerifiedDomain = (organizationId: string, id: string, origin: Origin): Promise<void> =>
  inTenant(
    organizationId,
    async () => {
      const gone = await firstRow<{ domain: string }>(
        'DELETE FROM verified_domains WHERE organization_id = $1 AND id = $2 RETURNING domain',
        [currentOrganization(), id],
      );
      if (!gone) throw refuse.not_found();
      await auditDomain('withdrawn', id, { before: gone });
    },
    { origin },
  );

async function readVerifiedDomain(id: string): Promise<VerifiedDomain> {
  const found = await firstJson<VerifiedDomain>(
    `SELECT ${COLUMNS} FROM verified_domains d WHERE d.organization_id = $1 AND d.id = $2`,
    [currentOrganization(), id],
  );
  if (!found) throw refuse.not_found();
  return found;
}

async function requireOrganization(id: string): Promise<void> {
  if (!(await readOrganization(id))) throw refuse.not_found();
}

const auditDomain = (verb: 'verified' | 'withdrawn', id: string, seen: Record<string, Record<string, unknown>>) =>
  audit({ action: `domain.${verb}`, subjectType: 'verified_domain', subjectId: id, ...seen });
