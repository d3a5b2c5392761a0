/** The check of the ledger finds each planted violation of a rule about gifts. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { checkLedger, readInvariants } from '../../../models/finances/checkLedger.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { anOfflineGift, aPaidGift, aWaitingGift } from '../../support/giving.js';
import { asOwner, closeOwner } from '../../support/owner.js';
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

const PLANTS: Record<string, (paid: string, waiting: string, offline: string) => string> = {
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
  const named = async () => {
    const { violations } = await checkLedger(process.env['DATABASE_OWNER_URL'] as string);
    const own = [paid, waiting, offline, foundation.campaignId, world.organizationId];
    return violations.filter(
      ({ invariant, row }) => invariant === name && own.some((id) => JSON.stringify(row).includes(id)),
    );
  };
  expect(await named()).toEqual([]);
  await asOwner(plant(paid, waiting, offline));
  expect(await named()).toHaveLength(1);
});
