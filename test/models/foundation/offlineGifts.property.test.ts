/** The tax year of an offline gift is the year of the day on which it was received, in every time zone. */
import fc from 'fast-check';
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { returnOfflineGift } from '../../../models/foundation/donations/recordOfflineGift.js';
import { correctReceiptsOfDonor } from '../../../models/foundation/receipts/correctReceiptsOfDonor.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { receiptsOf } from '../../support/gifts.js';
import { anOfflineGift } from '../../support/giving.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { casesOf, SEED } from '../../support/seed.js';
import { aWorld, type World } from '../../support/world.js';

let world: World;
let foundation: Foundation;
beforeAll(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const ZONES = [
  'UTC',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/Sao_Paulo',
  'Unknown/Zone',
];
const zone = fc.constantFrom(...ZONES);
const day = fc.oneof(
  fc
    .date({ min: new Date('1900-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  fc
    .tuple(fc.integer({ min: 1900, max: 2025 }), fc.constantFrom('01-01', '12-31'))
    .map(([year, rest]) => `${year}-${rest}`),
);
const setZone = (timezone: string) => asOwner('UPDATE foundation_configs SET timezone = $1', [timezone]);

test('the year stays when the time zone changes, and so do the day and the year of its receipts', async () => {
  await fc.assert(
    fc.asyncProperty(day, zone, zone, fc.integer({ min: 1, max: 5_000 }), async (receivedOn, before, after, cents) => {
      await setZone(before);
      const id = await anOfflineGift(world, foundation, { received_on: receivedOn, amount_cents: cents });
      const year = Number(receivedOn.slice(0, 4));
      const [gift] = await asOwner(
        `SELECT d.tax_year, app.local_day_of(f.timezone, d.charged_at)::text AS charged_on FROM donations d
           JOIN foundation_configs f ON f.organization_id = d.organization_id WHERE d.id = $1`,
        [id],
      );
      expect(gift).toEqual({ tax_year: year, charged_on: receivedOn });
      await setZone(after);
      const [{ donor_id }] = (await asOwner(
        `UPDATE donors SET first_name = 'Augusta', name_corrected_at = clock_timestamp()
          WHERE id = (SELECT donor_id FROM donations WHERE id = $1) RETURNING id AS donor_id`,
        [id],
      )) as [{ donor_id: string }];
      await inTenant(world.organizationId, () => correctReceiptsOfDonor(donor_id));
      await inTenant(world.organizationId, () =>
        returnOfflineGift({ id, amount_cents: cents, refunded_cents: 0 }, 'Test'),
      );
      const receipts = await receiptsOf({ donationId: id });
      const printed = { given_on: receivedOn };
      expect(receipts).toMatchObject([
        { status: 'superseded', printed },
        { status: 'void', printed },
      ]);
      for (const { number } of receipts) expect(number.slice(0, 4)).toBe(String(year));
    }),
    { numRuns: casesOf({ test: 12, release: 60 }), seed: SEED },
  );
  await expectSoundLedger();
});
