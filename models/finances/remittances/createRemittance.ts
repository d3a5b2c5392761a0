import { audit } from '../../database/audit.js';
import { computed, createRow } from '../../database/model/change.js';
import { invalid } from '../../errors.js';
import { MAX_CHARGE_CENTS } from '../attempts/chargeLimits.js';
import {
  type AllocationInput,
  checkAllocations,
  insertAllocations,
  type RequestedAllocation,
  sumOf,
} from './allocations.js';
import { findActiveProcessor } from '../payment-processors/activeProcessor.js';
import { minChargeCentsOf } from '../payment-processors/providers.js';
import { ChapterRemittance } from './ChapterRemittance.js';

/** Maximum number of allocations, so that one charge does not lock too many invoices. */
export const MAX_ALLOCATIONS = 1000;

export const BELOW_MINIMUM = 'The total is less than the minimum card charge. Add an invoice.';

/** SQL of the organization's currency. */
const CURRENCY = `coalesce((SELECT s.currency FROM org_dues_settings s WHERE s.organization_id = app.org_id()), 'usd')`;

/**
 * Sums the allocations, in cents.
 * @throws Refusal when the total is too small or too large for a charge
 */
function requireChargeableTotal(allocations: AllocationInput[], minCents: number): number {
  const total = sumOf(allocations);
  if (total > MAX_CHARGE_CENTS)
    throw invalid(
      'allocations',
      'The total is more than the maximum for one card charge. Split the remittance into several.',
    );
  if (total < minCents) throw invalid('allocations', BELOW_MINIMUM);
  return total;
}

/** Creates a draft remittance with allocations to member invoices. The server computes the total. @returns its id */
export async function createRemittance(
  chapterId: string,
  requested: RequestedAllocation[],
  userId: string,
): Promise<string> {
  const allocations = await checkAllocations(chapterId, requested);
  const processor = await findActiveProcessor();
  const total = requireChargeableTotal(allocations, minChargeCentsOf(processor?.provider));
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
