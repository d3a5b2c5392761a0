import type { RemittanceDetail, RemittanceRow } from '../../../models/finances/remittances/readRemittance.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { hidesAmounts } from './shares.js';

const hides = (actor: Actor, row: RemittanceRow): boolean => hidesAmounts(actor, row.officers_see_amounts);

export function presentRemittance<Row extends RemittanceRow>(
  actor: Actor,
  row: Row,
): Omit<Row, 'officers_see_amounts'> {
  const { officers_see_amounts: _, ...json } = row;
  return hides(actor, row) ? { ...json, total_cents: null, reconciliation_amount_cents: null } : json;
}

export function presentDetail(actor: Actor, row: RemittanceDetail) {
  const json = presentRemittance(actor, row);
  if (!hides(actor, row)) return json;
  return { ...json, allocations: json.allocations.map((share) => ({ ...share, amount_cents: null })) };
}
