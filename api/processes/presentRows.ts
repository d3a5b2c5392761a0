/** Presents the rows of a list with what the rows of each tenant tell: labels, and whether money has moved. */
import { inTenant } from '../../models/database/tenancy.js';
import { hasLabels, readLabels } from '../../models/processes/labels.js';
import { moneyMovedIn } from '../../models/processes/moneyMoved.js';
import { type ProcessRow, presentRow } from './present.js';

/** Presents rows: at most one transaction for each tenant on the page, and one statement a kind and fact in it. */
export async function presentRows(rows: readonly ProcessRow[], { isPlatformAdmin }: { isPlatformAdmin: boolean }) {
  const labels = new Map<string, string>();
  const moved = new Map<string, 'yes' | 'no' | 'unknown'>();
  for (const [tenant, own] of rowsByTenant(rows)) {
    const stuck = own.filter(mayHaveMovedMoney);
    if (stuck.length === 0 && !own.some(({ kind }) => hasLabels(kind))) continue;
    await inTenant(
      tenant,
      async () => {
        for (const [id, label] of await readLabels(own)) labels.set(id, label);
        for (const [id, money] of await moneyMovedIn(stuck)) moved.set(id, money);
      },
      { readOnly: true },
    );
  }
  return rows.map((row) => ({
    ...presentRow(row, { label: labels.get(row.workflowId) ?? null, isPlatformAdmin }),
    money_moved: row.stuck === null ? null : (moved.get(row.workflowId) ?? moneyOf(row)),
  }));
}

const mayHaveMovedMoney = ({ facts, stuck }: ProcessRow): boolean => stuck !== null && facts.money !== 'never';

/** Whether money has moved, where no rows tell. */
const moneyOf = ({ facts }: ProcessRow) => (facts.money === 'never' ? ('no' as const) : ('unknown' as const));

function rowsByTenant(rows: readonly ProcessRow[]) {
  const withKind = rows.map((row) => ({ ...row, kind: row.facts.kind, input: row.input ?? {} }));
  const tenants = new Set(rows.flatMap(({ organizationId }) => organizationId ?? []));
  return [...tenants].map(
    (tenant) => [tenant, withKind.filter(({ organizationId }) => organizationId === tenant)] as const,
  );
}
