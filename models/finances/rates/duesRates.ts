/** What a member of a status owes for a term. */
import { audit } from '../../database/audit.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, firstRow } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import type { MembershipStatus } from '../../organizations/vocabulary.js';

export interface DuesRate {
  id: string;
  term: string;
  term_name: string;
  status: MembershipStatus;
  amount_cents: number;
  version: number;
  created_at: string;
  updated_at: string;
}

const COLUMNS = `r.id, r.term_id AS term, t.name AS term_name, r.status, r.amount_cents, r.version, r.created_at, r.updated_at`;
const TERM = 'JOIN terms t ON t.organization_id = r.organization_id AND t.id = r.term_id';

export interface RateQuery extends PageRequest {
  term: string | undefined;
  status: MembershipStatus | undefined;
  orderBy: string;
}

export function listDuesRates({ term, status, ...page }: RateQuery): Promise<Page<DuesRate>> {
  return selectPage<DuesRate>({
    from: `dues_rates r ${TERM}`,
    where:
      'r.organization_id = (SELECT app.org_id()) AND ($1::uuid IS NULL OR r.term_id = $1) AND ($2::text IS NULL OR r.status = $2)',
    values: [term ?? null, status ?? null],
    key: 'r.id',
    select: COLUMNS,
    join: TERM,
    ...page,
  });
}

/** @throws Refusal not_found */
export async function readDuesRate(id: string): Promise<DuesRate> {
  const row = await firstJson<DuesRate>(
    `SELECT ${COLUMNS} FROM dues_rates r ${TERM}
      WHERE r.organization_id = (SELECT app.org_id()) AND r.id = $1`,
    [id],
  );
  if (!row) throw refuse.not_found();
  return row;
}

/** @throws Refusal validation_error for an unknown term, rate_exists */
export async function createDuesRate(rate: {
  term: string;
  status: MembershipStatus;
  amount_cents: number;
}): Promise<DuesRate> {
  const created = await firstRow<{ id: string }>(
    `INSERT INTO dues_rates (organization_id, term_id, status, amount_cents)
     SELECT $1, id, $3, $4 FROM terms WHERE organization_id = $1 AND id = $2 RETURNING id`,
    [currentOrganization(), rate.term, rate.status, rate.amount_cents],
  );
  if (!created) throw invalid('term', 'There is no such term.');
  await audit({ action: 'dues_rate.created', subjectType: 'dues_rate', subjectId: created.id, after: rate });
  return readDuesRate(created.id);
}
