/**
 * Lists money cases, either of dues or of the foundation's gifts (the purpose). Cases without a processor belong to
 * dues.
 */
import { readRow, type ShownRow, shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import type { Purpose } from '../payment-processors/OrgPaymentProcessor.js';
import { type CASE_STATUSES, type CaseKind, MoneyCase } from './MoneyCase.js';

const IS_OF_FOUNDATION = `EXISTS (SELECT FROM org_payment_processors p WHERE p.organization_id = money_cases.organization_id
  AND p.id = money_cases.processor_id AND p.purpose = 'foundation')`;

/** SQL condition: the case belongs to an account of the given purpose. */
export const isOf = (purpose: Purpose): string =>
  purpose === 'foundation' ? IS_OF_FOUNDATION : `NOT ${IS_OF_FOUNDATION}`;

interface CaseFilters {
  status?: (typeof CASE_STATUSES)[number] | undefined;
  kind?: CaseKind | undefined;
}

/**
 * Lists one page of the money cases of a purpose.
 * @param orderBy SQL by which the cases are sorted
 */
export function listCases(
  purpose: Purpose,
  { status, kind }: CaseFilters,
  page: PageRequest & { orderBy: string },
): Promise<Page<ShownRow<typeof MoneyCase>>> {
  const values: unknown[] = [];
  const equals = (column: string, value: unknown) =>
    value === undefined ? '' : ` AND money_cases.${column} = $${values.push(value)}`;
  return selectPage<ShownRow<typeof MoneyCase>>({
    from: 'money_cases money_cases',
    where: `money_cases.organization_id = (SELECT app.org_id())${equals('status', status)}${equals('kind', kind)} AND ${isOf(purpose)}`,
    values,
    key: 'money_cases.id',
    select: shownSql(MoneyCase),
    ...page,
  });
}

/**
 * Reads a case that belongs to an account of this purpose.
 * @throws Refusal not_found
 */
export async function readCase(purpose: Purpose, caseId: string): Promise<ShownRow<typeof MoneyCase>> {
  if (!(await firstRow(`SELECT FROM money_cases WHERE id = $1 AND ${isOf(purpose)}`, [caseId])))
    throw refuse.not_found();
  return readRow(MoneyCase, caseId);
}
