import { DEFAULT_SETTINGS } from '../../../models/finances/dues-settings/duesSettings.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aPlatformAdmin } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (id = stage.world.organizationId) => `/api/organizations/${id}/dues-settings/`;

test('dues settings need a signed-in person', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
});

test('members cannot read dues settings, and officers cannot change them', async () => {
  expect(await stage.member.get(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 200 });
  expect(await stage.officer.patch(path(), { billing_mode: 'bill_chapter' })).toMatchObject({ status: 403 });
});

test("another organization's dues settings are not found", async () => {
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.patch(path(id), {}));
});

test('a platform admin must name the organization and reaches only that one', async () => {
  const { token } = await aPlatformAdmin();
  const { organizationId } = stage.world;
  expect(await stage.as({ token }).get(path())).toMatchObject({ status: 400, body: { code: 'organization_required' } });
  expect(await stage.as({ token }, { 'X-Organization-Id': organizationId }).get(path())).toMatchObject({ status: 200 });
  const elsewhere = stage.as({ token }, { 'X-Organization-Id': stage.other.organizationId });
  expect(await elsewhere.get(path())).toMatchObject({ status: 404 });
});

test('an organization without settings reads the defaults, and reading writes no row', async () => {
  const { organizationId } = stage.other;
  await asOwner('DELETE FROM org_dues_settings WHERE organization_id = $1', [organizationId]);
  const { refund_cap_per_officer_cents: _, ...defaults } = DEFAULT_SETTINGS;
  const answer = await stage.as(stage.other.admin).get(path(organizationId));
  expect(answer).toMatchObject({ status: 200, body: { ...defaults, refund_cap_per_officer: 50, version: 0 } });
  expect(await asOwner('SELECT 1 FROM org_dues_settings WHERE organization_id = $1', [organizationId])).toEqual([]);
});

test('the defaults in the code are those of the table', async () => {
  const admin = stage.as(stage.other.admin);
  await asOwner('DELETE FROM org_dues_settings WHERE organization_id = $1', [stage.other.organizationId]);
  const before = await admin.get(path(stage.other.organizationId));
  const first = await admin.patch(path(stage.other.organizationId), { plan_max_installments: 7, version: 0 });
  expect(first).toMatchObject({ status: 200, body: { ...before.body, plan_max_installments: 7, version: 1 } });
});

test('a change of dues settings is audited and answers with all settings', async () => {
  const { body: before } = await stage.admin.get(path());
  const answer = await stage.admin.patch(path(), { officers_see_amounts: false, refund_cap_per_officer: 75.25 });
  expect(answer).toMatchObject({
    status: 200,
    body: { officers_see_amounts: false, refund_cap_per_officer: 75.25, version: before.version + 1 },
  });
  const [entry] = await asOwner(
    `SELECT before, after FROM audit_log WHERE action = 'dues_settings.updated' AND organization_id = $1`,
    [stage.world.organizationId],
  );
  expect(entry).toEqual({
    before: { officers_see_amounts: true, refund_cap_per_officer_cents: 5_000 },
    after: { officers_see_amounts: false, refund_cap_per_officer_cents: 7_525 },
  });
});

test('a change with a stale version is refused', async () => {
  const { body } = await stage.admin.get(path());
  await stage.admin.patch(path(), { plan_max_duration_days: 90 });
  expect(await stage.admin.patch(path(), { plan_max_duration_days: 91, version: body.version })).toMatchObject({
    status: 409,
    body: { code: 'stale_version' },
  });
});

test.each([
  ['billing_mode', 'bill_nobody'],
  ['billing_mode', null],
  ['officers_see_amounts', 'yes'],
  ['plan_requesters', 'everyone'],
  ['plan_max_installments', 1],
  ['plan_max_installments', 2.5],
  ['plan_max_duration_days', 1e9],
  ['plan_min_first_payment_cents', -1],
  ['refund_cap_per_officer', 10.001],
  ['refund_cap_per_officer', -0.01],
  ['refund_cap_per_officer', 1e300],
  ['refund_cap_per_officer_cents', 1],
  ['currency', 'eur'],
  ['version', -1],
])('%s: %j is refused at its field', async (field, value) => {
  const answer = await stage.admin.patch(path(), { [field]: value });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { [field]: [expect.any(String)] } },
  });
});

test('reading the dues settings takes one statement inside the transaction', async () => {
  // BEGIN with the actor, the read, COMMIT
  expect(await countStatements(() => stage.admin.get(path()))).toBe(3);
});

test('an officer who sees no amounts does not see the minimum first payment', async () => {
  await stage.admin.patch(path(), { officers_see_amounts: false, plan_min_first_payment_cents: 1_000 });
  const minimum = async (by: typeof stage.admin) => (await by.get(path())).body.plan_min_first_payment_cents;
  const { regionalAdmin } = stage.world;
  expect([await minimum(stage.officer), await minimum(stage.admin), await minimum(stage.as(regionalAdmin))]).toEqual([
    null,
    1_000,
    1_000,
  ]);
  await stage.admin.patch(path(), { officers_see_amounts: true });
  expect(await minimum(stage.officer)).toBe(1_000);
});
