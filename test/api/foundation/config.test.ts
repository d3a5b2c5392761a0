import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin, aUser, aWorld, type World } from '../../support/world.js';

const stage = apiWorld();
const { api, as } = stage;
const CONFIG = '/api/foundation/config/';
const settings = {
  name: 'Alpha Foundation',
  legal_name: 'Alpha Foundation, Inc.',
  ein: '12-3456789',
  mailing_address: '1 Main Street',
};

const platformAdmin = async ({ organizationId }: World) =>
  new Client(api.url, { token: (await aPlatformAdmin()).token, headers: { 'X-Organization-Id': organizationId } });
const auditOf = (world: World, action: string) =>
  asOwner<{ subject_type: string; actor_user_id: string }>(
    'SELECT subject_type, actor_user_id FROM audit_log WHERE organization_id = $1 AND action = $2',
    [world.organizationId, action],
  );

test('an organization admin creates the foundation once and becomes its first admin', async () => {
  const { world } = stage;
  const admin = as(world.admin);
  expect(await admin.get(CONFIG)).toMatchObject({ status: 404, body: { code: 'foundation_not_configured' } });
  expect(await admin.get('/api/foundation/admins/')).toMatchObject({
    status: 404,
    body: { code: 'foundation_not_configured' },
  });
  const created = await admin.post(CONFIG, settings);
  expect(created).toMatchObject({
    status: 201,
    body: {
      ...settings,
      timezone: 'UTC',
      currency: 'usd',
      min_amount_cents: 100,
      max_amount_cents: 2_500_000,
      receipt_template_overrides: {},
      version: 1,
    },
  });
  expect(await admin.post(CONFIG, settings)).toMatchObject({ status: 409, body: { code: 'duplicate' } });
  expect((await admin.get('/api/foundation/admins/')).body).toMatchObject({
    count: 1,
    results: [{ user: world.admin.userId, role: 'admin', has_access: true }],
  });
  expect((await admin.get(CONFIG)).body).toEqual(created.body);
  expect(await auditOf(world, 'foundation.created')).toMatchObject([{ actor_user_id: world.admin.userId }]);
  expect((await admin.patch(CONFIG, { name: 'Beta Foundation' })).status).toBe(200);
  expect(await auditOf(world, 'foundation.updated')).toHaveLength(1);
});

test('two people who create the foundation at once create one', async () => {
  const world = await aWorld();
  const answers = await Promise.all([as(world.admin).post(CONFIG, settings), as(world.admin).post(CONFIG, settings)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
});

test('a platform admin names the first admin, who may sign in to the organization', async () => {
  const world = await aWorld();
  const platform = await platformAdmin(world);
  expect(await platform.post(CONFIG, settings)).toMatchObject({
    status: 400,
    body: { errors: { first_admin: [expect.any(String)] } },
  });
  for (const first_admin of [await aUser(), stage.other.member.userId])
    expect(await platform.post(CONFIG, { ...settings, first_admin })).toMatchObject({
      status: 409,
      body: { code: 'not_in_organization' },
    });
  expect(await platform.get(CONFIG)).toMatchObject({ status: 404, body: { code: 'foundation_not_configured' } });
  expect((await platform.post(CONFIG, { ...settings, first_admin: world.member.userId })).status).toBe(201);
  expect((await as(world.member).patch(CONFIG, { name: 'Beta' })).status).toBe(200);
  expect((await platform.patch(CONFIG, { name: 'Gamma' })).status).toBe(403);
});

test('an organization admin cannot make another person the first admin', async () => {
  const world = await aWorld();
  const answer = await as(world.admin).post(CONFIG, { ...settings, first_admin: world.member.userId });
  expect(answer).toMatchObject({ status: 400, body: { errors: { first_admin: [expect.any(String)] } } });
});

test('PUT replaces all settings, and PATCH changes the given ones', async () => {
  const foundation = await aFoundation(await aWorld(), { timezone: 'Europe/Berlin', max_amount_cents: 500_000 });
  const admin = as(foundation.admin);
  const { version } = (await admin.get(CONFIG)).body;
  expect(await admin.put(CONFIG, { ...settings, version })).toMatchObject({
    status: 200,
    body: { timezone: 'UTC', max_amount_cents: 2_500_000, version: version + 1 },
  });
  expect((await admin.put(CONFIG, { ...settings, version })).body.code).toBe('stale_version');
  expect((await admin.patch(CONFIG, { legal_name: 'X', version })).body.code).toBe('stale_version');
  const overrides = { intro: 'Dear {donor_name}, thanks for {amount} on {date}.', thanks: 'For {campaign}.' };
  expect(await admin.patch(CONFIG, { timezone: 'Asia/Kolkata', receipt_template_overrides: overrides })).toMatchObject({
    status: 200,
    body: { ...settings, timezone: 'Asia/Kolkata', receipt_template_overrides: overrides },
  });
});

describe('a change of the settings is refused', () => {
  let client: Client;
  beforeAll(async () => {
    client = as((await aFoundation(await aWorld())).admin);
  });

  test.each<[string, object]>([
    ['colour', { colour: 'red' }],
    ['ein', { ein: '123456789' }],
    ['ein', { ein: '12-34567890' }],
    ['name', { name: ' ' }],
    ['name', { name: null }],
    ['legal_name', { legal_name: 'x'.repeat(201) }],
    ['timezone', { timezone: 'Nowhere/Lost' }],
    ['timezone', { timezone: '+02:00' }],
    ['currency', { currency: 'USD' }],
    ['currency', { currency: 'zzz' }],
    ['min_amount_cents', { min_amount_cents: 0 }],
    ['min_amount_cents', { min_amount_cents: 2_500_001 }],
    ['max_amount_cents', { max_amount_cents: 99 }],
    ['max_amount_cents', { min_amount_cents: 500, max_amount_cents: 400 }],
    ['max_amount_cents', { max_amount_cents: 100_000_000 }],
    ['max_amount_cents', { max_amount_cents: 1000.5 }],
    ['receipt_template_overrides.intro', { receipt_template_overrides: { intro: 'Hello {name}' } }],
    ['receipt_template_overrides.intro', { receipt_template_overrides: { intro: 'Hello {donor_name' } }],
    ['receipt_template_overrides.intro', { receipt_template_overrides: { intro: 'Thank you for {{amount}}' } }],
    ['receipt_template_overrides.footer', { receipt_template_overrides: { footer: 'Bye' } }],
  ])('at the field %s: %j', async (field, change) => {
    expect(await client.patch(CONFIG, change)).toMatchObject({
      status: 400,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  });
});

test('a stored time zone that Postgres does not know reads as UTC', async () => {
  const { admin } = await aFoundation(await aWorld(), { timezone: 'Nowhere/Lost' });
  expect((await as(admin).get(CONFIG)).body.timezone).toBe('UTC');
});

test('the currency is fixed by the first gift', async () => {
  const world = await aWorld();
  const foundation = await aFoundation(world);
  const admin = as(foundation.admin);
  expect((await admin.patch(CONFIG, { currency: 'eur' })).body.currency).toBe('eur');
  await asOwner(
    `WITH donor AS (INSERT INTO donors (organization_id, email, first_name, last_name)
                    VALUES ($1, 'donor@example.org', 'Ada', 'Giver') RETURNING id)
     INSERT INTO donations (organization_id, donor_id, campaign_id, fund_id, amount_cents, fee_cents, currency, first_name,
                            last_name, request_hash)
     SELECT $1, id, $2, $3, 5000, 175, 'eur', 'Ada', 'Giver', repeat('x', 43) FROM donor`,
    [world.organizationId, foundation.campaignId, foundation.fundId],
  );
  expect(await admin.patch(CONFIG, { currency: 'usd' })).toMatchObject({
    status: 409,
    body: { code: 'currency_in_use' },
  });
  expect((await admin.patch(CONFIG, { currency: 'eur', name: 'Same currency' })).status).toBe(200);
});

test('what receipts need can be changed, and not removed, once a campaign is published', async () => {
  const { admin, campaignId } = await aFoundation(await aWorld());
  for (const field of ['legal_name', 'ein', 'mailing_address'])
    expect(await as(admin).patch(CONFIG, { [field]: null })).toMatchObject({
      status: 409,
      body: { code: 'foundation_incomplete' },
    });
  expect((await as(admin).put(CONFIG, { name: 'Only a name' })).status).toBe(409);
  expect((await as(admin).patch(CONFIG, { ein: '98-7654321' })).status).toBe(200);
  await asOwner('DELETE FROM campaigns WHERE id = $1', [campaignId]);
  expect((await as(admin).patch(CONFIG, { ein: null })).body.ein).toBeNull();
});

test('another member of the organization cannot create a foundation', async () => {
  const world = await aWorld();
  const member = await aMember(world.organizationId, world.chapterId);
  expect((await as(member).post(CONFIG, settings)).status).toBe(403);
  expect((await as(world.officer).post(CONFIG, settings)).status).toBe(403);
});
