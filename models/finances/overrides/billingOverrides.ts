/** Chapters that are billed in another way than their organization, from a term on. */
import { audit } from '../../database/audit.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, firstRow } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import type { BillingMode } from '../settings/duesSettings.js';

export interface BillingOverride {
  id: string;
  chapter: string;
  chapter_name: string;
  effective_term: string;
  effective_term_name: string;
  effective_from: string;
  billing_mode: BillingMode;
  version: number;
  created_at: string;
  updated_at: string;
}

const COLUMNS = `o.id, o.chapter_id AS chapter, c.name AS chapter_name, o.effective_term_id AS effective_term,
  t.name AS effective_term_name, t.starts_on AS effective_from, o.billing_mode, o.version, o.created_at, o.updated_at`;
const NAMES = `JOIN chapters c ON c.organization_id = o.organization_id AND c.id = o.chapter_id
  JOIN terms t ON t.organization_id = o.organization_id AND t.id = o.effective_term_id`;

export interface OverrideQuery extends PageRequest {
  chapter: string | undefined;
  orderBy: string;
}

export function listBillingOverrides({ chapter, ...page }: OverrideQuery): Promise<Page<BillingOverride>> {
  return selectPage<BillingOverride>({
    from: `chapter_billing_overrides o ${NAMES}`,
    where: 'o.organization_id = (SELECT app.org_id()) AND ($1::uuid IS NULL OR o.chapter_id = $1)',
    values: [chapter ?? null],
    key: 'o.id',
    select: COLUMNS,
    join: NAMES,
    ...page,
  });
}

/** @throws Refusal not_found */
export async function readBillingOverride(id: string): Promise<BillingOverride> {
  const row = await firstJson<BillingOverride>(
    `SELECT ${COLUMNS} FROM chapter_billing_overrides o ${NAMES}
      WHERE o.organization_id = (SELECT app.org_id()) AND o.id = $1`,
    [id],
  );
  if (!row) throw refuse.not_found();
  return row;
}

/** @throws Refusal validation_error when the tenant has no such term */
export async function requireTerm(field: string, termId: string): Promise<void> {
  const term = await firstRow('SELECT 1 FROM terms WHERE organization_id = (SELECT app.org_id()) AND id = $1', [
    termId,
  ]);
  if (!term) throw invalid(field, 'There is no such term.');
}

/** @throws Refusal validation_error for an unknown chapter or term, override_exists */
export async function createBillingOverride(override: {
  chapter: string;
  effective_term: string;
  billing_mode: BillingMode;
}): Promise<BillingOverride> {
  await requireTerm('effective_term', override.effective_term);
  const created = await firstRow<{ id: string }>(
    `INSERT INTO chapter_billing_overrides (organization_id, chapter_id, effective_term_id, billing_mode)
     SELECT $1, id, $3, $4 FROM chapters WHERE organization_id = $1 AND id = $2 RETURNING id`,
    [currentOrganization(), override.chapter, override.effective_term, override.billing_mode],
  );
  if (!created) throw invalid('chapter', 'There is no such chapter.');
  await audit({
    action: 'billing_override.created',
    subjectType: 'billing_override',
    subjectId: created.id,
    after: override,
  });
  return readBillingOverride(created.id);
}
