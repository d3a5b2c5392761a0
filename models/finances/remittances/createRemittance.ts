import { audit } from '../../database/audit.js';
import { computed, createRow } from '../../database/model/change.js';
import { invalid } from '../../errors.js';
import { MAX_CHARGE_CENTS } from '../attempts/chargeLimits.js';
import { type AllocationInput, checkAllocations, insertAllocations, type ShareInput, sumOf } from './allocations.js';
import { findActiveProcessor } from '../payment-processors/activeProcessor.js';
import { leastChargeCents } from '../payment-processors/providers.js';
import { ChapterRemittance } from './ChapterRemittance.js';

/** Beyond this one charge would hold too many invoices locked at once. */
export const MAX_ALLOCATIONS = 1000;

export const TOO_LITTLE = 'Together this is less than a card can be charged. Add an invoice.';

/** SQL: that of the organization. */
const CURRENCY = `coalesce((SELECT s.currency FROM org_dues_settings s WHERE s.organization_id = app.org_id()), 'usd')`;

/** The sum of shares, in cents. @throws Refusal when no provider would charge it */
function totalOf(allocations: AllocationInput[], leastCents: number): number {
  const total = sumOf(allocations);
  if (total > MAX_CHARGE_CENTS)
    throw invalid('allocations', 'Together this is more than one charge can take. Split the remittance.');
  if (total < leastCents) throw invalid('allocations', TOO_LITTLE);
  return total;
}

/** Gathers shares of member invoices into a draft. The total is ours to compute. @returns its id */
export async function createRemittance(chapterId: string, shares: ShareInput[], userId: string): Promise<string> {
  const allocations = await checkAllocations(chapterId, shares);
  const processor = await findActiveProcessor();
  const total = totalOf(allocations, leastChargeCents(processor?.provider));
  const { id } = await createRow(ChapterRemittance, {
    chapter_id: chapterId,
    created_by: userId,
    total_cents: total,
    currency: computed(CURRENCY),
  });
  await insertAllocations(id, chapterId, allocations);
  await audit({
    action: 'remittance.created',
    subjectType: 'remittance',
    subjectId: id,
    after: { chapter_id: chapterId, total_cents: total, invoices: allocations.length },
  });
  return id;
}
