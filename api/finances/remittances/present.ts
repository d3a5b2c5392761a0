import type { RemittanceRow } from '../../../models/finances/remittances/readRemittance.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { seesAmounts, withoutAmounts } from '../amounts.js';

export function presentRemittance<Row extends RemittanceRow>(
  actor: Actor,
  row: Row,
): Omit<Row, 'officers_see_amounts'> {
  const { officers_see_amounts: _, ...json } = row;
  return seesAmounts(actor, { chapter_id: row.chapter }, row.officers_see_amounts) ? json : withoutAmounts(json);
}
