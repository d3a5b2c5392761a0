import { audit } from '../../database/audit.js';
import { changeRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type AmountTerms, requireAmount } from '../donations/requireAmount.js';
import { foundationErrors } from '../errors.js';
import { lockPledge } from './lockPledge.js';
import { RecurringPledge } from './RecurringPledge.js';

/** The limits of the amount of a pledge, in cents. */
export interface PledgeTerms extends AmountTerms {
  currency: string;
}

/** Reads the limits of a pledge's amount. @throws Refusal not_found */
export const readAmountTerms = async (pledgeId: string): Promise<PledgeTerms> =>
  requireFound(
    await firstRow<PledgeTerms & Record<string, unknown>>(
      `SELECT g.currency, f.min_amount_cents, f.max_amount_cents, p.provider FROM recurring_pledges g
         JOIN foundation_configs f ON f.organization_id = g.organization_id
         JOIN org_payment_processors p ON p.organization_id = g.organization_id AND p.id = g.processor_id
        WHERE g.organization_id = $1 AND g.id = $2`,
      [currentOrganization(), pledgeId],
    ),
  );

/**
 * Changes the amount of a pledge from the next period on; a period that is open keeps its amount. Exactly this amount is
 * charged: a fee that the donor covered before is not added.
 * @throws Refusal not_found, invalid_pledge_transition if the pledge is cancelled, validation_error
 */
export async function changePledgeAmount(pledgeId: string, amountCents: number): Promise<void> {
  const { status, amount_cents } = await lockPledge(pledgeId);
  if (status === 'cancelled')
    throw foundationErrors.invalid_pledge_transition('This pledge is cancelled, so its amount cannot be changed.');
  requireAmount(amountCents, await readAmountTerms(pledgeId));
  if (amountCents === amount_cents) return;
  await changeRow(RecurringPledge, pledgeId, { amount_cents: amountCents, base_amount_cents: null });
  await audit({
    action: 'recurring_pledge.amount_changed',
    subjectType: 'recurring_pledge',
    subjectId: pledgeId,
    before: { amount_cents },
    after: { amount_cents: amountCents },
  });
}
