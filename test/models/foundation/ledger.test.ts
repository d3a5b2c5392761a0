/** The check of the ledger finds each planted violation of a rule about gifts. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { checkLedger, readInvariants } from '../../../models/finances/checkLedger.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { anOfflineGift, aPaidGift, aWaitingGift } from '../../support/giving.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { followPledge } from '../../../models/foundation/pledges/followPledge.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aPledge, letPeriodBeDue } from '../../support/pledges.js';
import { aWorld, type World } from '../../support/world.js';

let world: World;
let foundation: Foundation;
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const PLANTS: Record<string, (paid: string, waiting: string, offline: string, pledge: string) => string> = {
  'the status and the refunded amount of a gift follow from its entries': (paid) =>
    `UPDATE donations SET refunded_cents = 1 WHERE id = '${paid}'`,
  'a completed gift has one entry that says it was received, and no other gift has an entry': (paid) =>
    `ALTER TABLE donation_entries DISABLE TRIGGER USER; DELETE FROM donation_entries WHERE donation_id = '${paid}';
     ALTER TABLE donation_entries ENABLE TRIGGER USER`,
  "the totals of donors, campaigns and funds are the sums of their gifts' entries": () =>
    'UPDATE campaigns SET raised_cents = raised_cents + 1',
  'money captured for a gift is received by it, or waits for a decision, or was returned': (paid) =>
    `UPDATE processor_captures SET amount_cents = amount_cents + 1 WHERE donation_id = '${paid}'`,
  'the refunded amount of a gift is that of its charge': (paid) =>
    `UPDATE processor_captures SET refunded_cents = 1 WHERE donation_id = '${paid}'`,
  'a gift is under review exactly while flagged money waits for its decision and no money has paid it': (_, waiting) =>
    `UPDATE donations SET under_review = true WHERE id = '${waiting}'`,
  'a gift whose page is over keeps no digest of its network': (_, waiting) =>
    `UPDATE payment_attempts SET status = 'failed', finished_at = now() WHERE donation_id = '${waiting}'`,
  'the numbers of receipts run from 1 to the counter of their foundation and year': () =>
    'UPDATE receipt_counters SET last_number = last_number + 1',
  'a completed gift has one valid receipt for what was kept of it; another gift and one of a donor-advised fund have none':
    (paid) => `UPDATE tax_receipts SET amount_cents = amount_cents + 1 WHERE donation_id = '${paid}'`,
  'a receipt has the donor and the tax year of its gift, and replaces a receipt of the same gift that has ended': (
    paid,
  ) => `UPDATE tax_receipts SET tax_year = tax_year - 1 WHERE donation_id = '${paid}'`,
  'the receipts of a gift replace one another in one line, and a superseded one has a successor': (paid) =>
    `UPDATE tax_receipts SET status = 'superseded', ended_at = now(), mail_status = 'replaced' WHERE donation_id = '${paid}'`,
  'an offline gift is completed or refunded in its year without a fee, and has no charge': (paid, _, offline) =>
    `ALTER TABLE donation_entries DISABLE TRIGGER USER; UPDATE donation_entries SET capture_id = (
       SELECT id FROM processor_captures WHERE donation_id = '${paid}') WHERE donation_id = '${offline}';
     ALTER TABLE donation_entries ENABLE TRIGGER USER`,
  'every entry of an online gift has a charge': (paid) =>
    `ALTER TABLE donation_entries DISABLE TRIGGER USER; UPDATE donation_entries SET capture_id = NULL WHERE donation_id = '${paid}';
     ALTER TABLE donation_entries ENABLE TRIGGER USER`,
  'a valid receipt prints the corrected name of its donor': (paid) =>
    `UPDATE donors SET first_name = 'Augusta', name_corrected_at = now()
      WHERE id = (SELECT donor_id FROM donations WHERE id = '${paid}')`,
  'money charged after a pledge was cancelled is returned, or its refund is on its way': (_, __, ___, pledge) =>
    `UPDATE recurring_pledges SET status = 'cancelled', next_due_at = NULL, cancelled_at = now() - interval '1 hour',
            cancelled_by = 'donor' WHERE id = '${pledge}'`,
  'a period of a pledge is paid by exactly one charge that was not returned': (_, __, ___, pledge) =>
    `UPDATE pledge_periods SET status = 'paid', closed_at = now() WHERE pledge_id = '${pledge}' AND n = 1`,
  'the periods of a pledge are due on their own days, and the next one comes after all of them': (_, __, ___, pledge) =>
    `UPDATE recurring_pledges SET next_period = 1 WHERE id = '${pledge}'`,
  'a charge that is not confirmed does not outlive its withdrawn period by more than an hour': (_, __, ___, pledge) =>
    `UPDATE pledge_periods SET status = 'missed', missed_reason = 'withdrawn', closed_at = now() - interval '2 hours'
      WHERE pledge_id = '${pledge}' AND n = 1;
     INSERT INTO payment_attempts (organization_id, donation_id, pledge_id, processor_id, amount_cents, currency)
     SELECT g.organization_id, p.donation_id, g.id, g.processor_id, g.amount_cents, g.currency
       FROM recurring_pledges g JOIN pledge_periods p ON p.pledge_id = g.id AND p.n = 1 WHERE g.id = '${pledge}'`,
  'the card of a cancelled pledge is forgotten within a day': (_, __, ___, pledge) =>
    `UPDATE recurring_pledges SET status = 'cancelled', next_due_at = NULL, cancelled_at = now() - interval '2 days',
            cancelled_by = 'donor' WHERE id = '${pledge}'`,
};

test('every rule about gifts has a violation here', () => {
  const rules = readInvariants(['models/foundation/invariants.sql'])
    .map(({ name }) => name)
    // Violations of the rules about annual receipts are in annualReceipts.test.ts.
    .filter((name) => !name.includes('annual receipt'));
  expect(Object.keys(PLANTS).sort()).toEqual(rules.sort());
});

test.each(Object.entries(PLANTS))('%s: a violation is found', async (name, plant) => {
  const [paid, waiting] = [await aPaidGift(world, foundation), await aWaitingGift(world, foundation)];
  const offline = await anOfflineGift(world, foundation);
  const { id: pledge } = await aPledge(world, foundation);
  await letPeriodBeDue(pledge);
  await inTenant(world.organizationId, () => followPledge(pledge));
  const named = async () => {
    const { violations } = await checkLedger(process.env['DATABASE_OWNER_URL'] as string);
    const own = [paid, waiting, offline, foundation.campaignId, world.organizationId];
    return violations.filter(
      ({ invariant, row }) => invariant === name && own.some((id) => JSON.stringify(row).includes(id)),
    );
  };
  expect(await named()).toEqual([]);
  await asOwner(plant(paid, waiting, offline, pledge));
  expect(await named()).toHaveLength(1);
});
