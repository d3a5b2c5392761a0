/** What the runtime role may change of gifts and their totals: read from Postgres's catalog, and tried. */
import { sequelize } from '../../../models/database/connection.js';
import { sqlStateOf } from '../../../models/database/constraints.js';
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { aFoundation } from '../../support/foundation.js';
import { aPaidGift, aWaitingGift } from '../../support/giving.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { RUNTIME } from '../../support/environment/facts.js';
import { aWorld, type World } from '../../support/world.js';

const RESTRICT_VIOLATION = '23001';

let world: World;
let paid: string;
let failed: string;
beforeAll(async () => {
  world = await aWorld();
  const foundation = await aFoundation(world);
  paid = await aPaidGift(world, foundation);
  failed = await aWaitingGift(world, foundation);
  await asOwner(`UPDATE donations SET status = 'failed', failure_code = 'expired' WHERE id = $1`, [failed]);
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

test.each([
  [
    'donations',
    [
      'amount_cents',
      'failure_code',
      'fee_cents',
      'network_digest',
      'period',
      'pledge_id',
      'status',
      'under_review',
      'updated_at',
    ],
  ],
  ['donation_entries', []],
  ['receipt_counters', ['last_number']],
  [
    'donors',
    [
      'address',
      'email',
      'erased_at',
      'first_name',
      'is_anonymous',
      'last_name',
      'name_corrected_at',
      'phone',
      'updated_at',
      'user_id',
    ],
  ],
])('%s: the runtime role can change the listed columns, and no others', async (table, changeable) => {
  const granted = await asOwner<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.column_privileges
      WHERE table_name = $1 AND grantee = $2 AND privilege_type = 'UPDATE' ORDER BY column_name`,
    [table, RUNTIME.name],
  );
  expect(granted.map(({ name }) => name)).toEqual(changeable);
});

test.each([
  ['campaigns', 'raised_cents'],
  ['funds', 'total_cents'],
])('%s: the runtime role cannot write the sum in %s', async (table, column) => {
  const granted = await asOwner(
    `SELECT privilege_type FROM information_schema.column_privileges
      WHERE table_name = $1 AND column_name = $2 AND grantee = $3 AND privilege_type IN ('INSERT', 'UPDATE')`,
    [table, column, RUNTIME.name],
  );
  expect(granted).toEqual([]);
});

test.each([
  ['the amount of a completed gift', 'amount_cents = amount_cents + 1', () => paid],
  ['the fee of a completed gift', 'fee_cents = fee_cents - 1', () => paid],
  ['a completed gift to a failed one', `status = 'failed'`, () => paid],
  ['a completed gift to a refunded one without an entry', `status = 'refunded'`, () => paid],
  ['a failed gift to a completed one without an entry', `status = 'completed'`, () => failed],
])('the database refuses to change %s', async (_, change, donation) => {
  const attempt = inTenant(world.organizationId, () =>
    rows(`UPDATE donations SET ${change} WHERE id = $1`, [donation()]),
  );
  expect(await attempt.then(() => null, sqlStateOf)).toBe(RESTRICT_VIOLATION);
});

test('the currency of a foundation cannot change while a first gift is being recorded', async () => {
  const other = await aWorld();
  const foundation = await aFoundation(other);
  const change = () =>
    asOwner(`UPDATE foundation_configs SET currency = 'eur' WHERE id = $1`, [foundation.foundationId]);
  await aWaitingGift(other, foundation);
  await expect(change()).rejects.toThrow('donations_currency');
});
