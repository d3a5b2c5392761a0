import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aWorld } from '../../support/world.js';

const stage = apiWorld();
const { as, world, other } = stage;
const CAMPAIGNS = '/api/foundation/campaigns/';

let foundation: Foundation;
let foreign: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  foreign = await aFoundation(other);
});
const admin = () => as(foundation.admin);

let counter = 0;
const draft = () => ({
  title: 'Autumn appeal',
  slug: `autumn-${(counter += 1)}`,
  suggested_amounts: [2500, 5000],
});
const create = async (more: object = {}) => {
  const created = await admin().post(CAMPAIGNS, { ...draft(), ...more });
  expect(created).toMatchObject({ status: 201, body: { status: 'draft' } });
  return created.body as { id: string; slug: string; version: number };
};

test('a draft has the default fund, sanitized text and no gifts', async () => {
  const created = await admin().post(CAMPAIGNS, {
    ...draft(),
    description: '<p onclick="x()">Help <script>alert(1)</script>us</p>',
    goods_description: 'A mug',
    goods_value_cents: 500,
    starts_on: '2030-01-01',
    ends_on: '2030-01-31',
  });
  expect(created).toMatchObject({
    status: 201,
    body: {
      fund: foundation.fundId,
      description: '<p>Help us</p>',
      status: 'draft',
      visibility: 'public',
      raised_cents: 0,
      published_at: null,
      closed_at: null,
      suggested_amounts: [2500, 5000],
      version: 1,
    },
  });
  expect((await as(foundation.editor).get(`${CAMPAIGNS}${created.body.id}/`)).body).toEqual(created.body);
});

test('a campaign is published, closed and reopened, and every other transition is refused', async () => {
  const { id } = await create();
  const move = (transition: string) => admin().post(`${CAMPAIGNS}${id}/${transition}/`);
  const expected: [string, string | null][] = [
    ['close', null],
    ['reopen', null],
    ['publish', 'active'],
    ['publish', null],
    ['reopen', null],
    ['close', 'closed'],
    ['close', null],
    ['publish', null],
    ['reopen', 'active'],
  ];
  for (const [transition, status] of expected) {
    const answer = await move(transition);
    const refused = { status: 409, body: { code: 'invalid_campaign_transition' } };
    expect(answer).toMatchObject(status === null ? refused : { status: 200, body: { status } });
  }
  const { body } = await admin().get(`${CAMPAIGNS}${id}/`);
  expect(body).toMatchObject({ published_at: expect.any(String), closed_at: null });
  expect(
    await asOwner(`SELECT after->>'status' AS status FROM audit_log WHERE subject_id = $1 ORDER BY id`, [id]),
  ).toEqual([{ status: 'draft' }, { status: 'active' }, { status: 'closed' }, { status: 'active' }]);
});

test('of two people who publish at the same time, one is refused', async () => {
  const { id } = await create();
  const publish = () => admin().post(`${CAMPAIGNS}${id}/publish/`);
  const answers = await Promise.all([publish(), publish()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test('publishing names what the foundation lacks', async () => {
  const incomplete = await aFoundation(await aWorld(), { legal_name: null, ein: null, mailing_address: null });
  const client = as(incomplete.admin);
  await asOwner('DELETE FROM foundation_payment_processors WHERE foundation_id = $1', [incomplete.foundationId]);
  const { body } = await client.post(CAMPAIGNS, draft());
  const answer = await client.post(`${CAMPAIGNS}${body.id}/publish/`);
  expect(answer).toMatchObject({ status: 409, body: { code: 'foundation_incomplete' } });
  expect(Object.keys(answer.body.errors).toSorted()).toEqual([
    'ein',
    'legal_name',
    'mailing_address',
    'payment_processor',
  ]);
  await client.patch('/api/foundation/config/', { legal_name: 'A', ein: '12-3456789', mailing_address: 'B' });
  expect(Object.keys((await client.post(`${CAMPAIGNS}${body.id}/publish/`)).body.errors)).toEqual([
    'payment_processor',
  ]);
  expect((await client.get(`${CAMPAIGNS}${body.id}/`)).body.status).toBe('draft');
});

test('only drafts can be deleted', async () => {
  const { id } = await create();
  expect((await admin().delete(`${CAMPAIGNS}${id}/`)).status).toBe(204);
  expect((await admin().get(`${CAMPAIGNS}${id}/`)).status).toBe(404);
  expect(await admin().delete(`${CAMPAIGNS}${foundation.campaignId}/`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_campaign_transition' },
  });
});

test('a draft that is the audience of a bulletin is not deleted, and the answer says so', async () => {
  const { id } = await create();
  const bulletin = { subject: 'News', body_text: 'Hello', audience: 'campaign_donors', campaign: id };
  expect((await admin().post('/api/foundation/bulletins/', bulletin)).status).toBe(201);
  expect(await admin().delete(`${CAMPAIGNS}${id}/`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_campaign_transition', detail: expect.stringContaining('bulletin') },
  });
});

test('the slug changes until the campaign is published', async () => {
  const { id } = await create();
  const row = `${CAMPAIGNS}${id}/`;
  expect((await admin().patch(row, { slug: 'autumn-renamed' })).body.slug).toBe('autumn-renamed');
  await admin().post(`${row}publish/`);
  expect(await admin().patch(row, { slug: 'autumn-again' })).toMatchObject({
    status: 400,
    body: { errors: { slug: [expect.any(String)] } },
  });
  expect(await admin().patch(row, { slug: 'autumn-renamed', title: 'Renamed' })).toMatchObject({
    status: 200,
    body: { title: 'Renamed' },
  });
  await admin().post(`${row}close/`);
  expect((await admin().patch(row, { slug: 'autumn-again' })).status).toBe(400);
  expect((await admin().patch(row, { ends_on: '2031-01-01' })).status).toBe(200);
});

test('a total that changes gives the campaign no new version', async () => {
  const { id, version } = await create();
  await asOwner('UPDATE campaigns SET raised_cents = 500 WHERE id = $1', [id]);
  expect(await admin().patch(`${CAMPAIGNS}${id}/`, { title: 'Edited', version })).toMatchObject({
    status: 200,
    body: { raised_cents: 500, version: 2 },
  });
  expect((await admin().patch(`${CAMPAIGNS}${id}/`, { title: 'Late', version })).body.code).toBe('stale_version');
});

test('two campaigns cannot have the same slug', async () => {
  expect(await admin().post(CAMPAIGNS, { ...draft(), slug: foundation.slug })).toMatchObject({
    status: 409,
    body: { code: 'duplicate', errors: { slug: [expect.any(String)] } },
  });
  // Another organization has other addresses.
  expect((await as(foreign.admin).post(CAMPAIGNS, { ...draft(), slug: foundation.slug })).status).toBe(201);
});

describe('a campaign is refused', () => {
  test.each<[string, object]>([
    ['title', { title: '' }],
    ['slug', { slug: 'Spring Appeal' }],
    ['slug', { slug: '-appeal' }],
    ['slug', { slug: 'a'.repeat(81) }],
    ['suggested_amounts', { suggested_amounts: [] }],
    ['suggested_amounts', { suggested_amounts: [100, 200, 300, 400, 500, 600, 700, 800, 900] }],
    ['suggested_amounts.0', { suggested_amounts: [0] }],
    ['suggested_amounts.1', { suggested_amounts: [500, 10.5] }],
    ['suggested_amounts', { suggested_amounts: [500, 500] }],
    ['suggested_amounts', { suggested_amounts: [99] }],
    ['suggested_amounts', { suggested_amounts: [2_500_001] }],
    ['ends_on', { starts_on: '2030-02-01', ends_on: '2030-01-31' }],
    ['goods_value_cents', { goods_description: 'A mug' }],
    ['goods_value_cents', { goods_value_cents: 500 }],
    ['goal_cents', { goal_cents: -1 }],
    ['visibility', { visibility: 'secret' }],
    ['status', { status: 'active' }],
    ['raised_cents', { raised_cents: 1 }],
    ['fund', { fund: '00000000-0000-7000-8000-000000000000' }],
    ['colour', { colour: 'red' }],
  ])('when created, at the field %s: %j', async (field, wrong) => {
    const { body, status } = await admin().post(CAMPAIGNS, { ...draft(), ...wrong });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]]);
  });

  test.each<[string, object]>([
    ['slug', { slug: 'Spring Appeal' }],
    ['suggested_amounts', { suggested_amounts: [99] }],
    ['ends_on', { ends_on: '1999-01-01', starts_on: '2000-01-01' }],
    ['goods_value_cents', { goods_description: 'A mug' }],
    ['fund', { fund: '00000000-0000-7000-8000-000000000000' }],
    ['fund', { fund: null }],
    ['status', { status: 'closed' }],
  ])('when changed, at the field %s: %j', async (field, wrong) => {
    const { id } = await create();
    const { body, status } = await admin().patch(`${CAMPAIGNS}${id}/`, wrong);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]]);
  });

  test('with a fund that is not active, or of another organization', async () => {
    const closed = (await admin().post('/api/foundation/funds/', { name: 'Closed', is_active: false })).body.id;
    const { id } = await create();
    for (const fund of [closed, foreign.fundId])
      for (const answer of [
        await admin().post(CAMPAIGNS, { ...draft(), fund }),
        await admin().patch(`${CAMPAIGNS}${id}/`, { fund }),
      ])
        expect(answer).toMatchObject({ status: 400, body: { errors: { fund: [expect.any(String)] } } });
    await asOwner('UPDATE campaigns SET fund_id = $2 WHERE id = $1', [id, closed]);
    expect((await admin().post(`${CAMPAIGNS}${id}/publish/`)).body.errors).toHaveProperty('fund');
  });
});

test('campaigns of another organization are unknown', async () => {
  await expectNowhere(foreign.campaignId, (id) => admin().get(`${CAMPAIGNS}${id}/`));
  await expectNowhere(foreign.campaignId, (id) => admin().patch(`${CAMPAIGNS}${id}/`, { title: 'Taken' }));
  for (const transition of ['publish', 'close', 'reopen'])
    await expectNowhere(foreign.campaignId, (id) => admin().post(`${CAMPAIGNS}${id}/${transition}/`));
});

test('the list has filters, orders and pages, in a fixed number of statements', async () => {
  expect(await countStatements(() => admin().get(CAMPAIGNS))).toBe(3);
  await create({ visibility: 'internal' });
  const list = async (query: string) =>
    (await admin().get(`${CAMPAIGNS}?${query}`)).body.results as { status: string }[];
  expect(new Set((await list('status=draft')).map(({ status }) => status))).toEqual(new Set(['draft']));
  expect((await list('visibility=internal')).length).toBe(1);
  expect((await list(`fund=${foundation.fundId}&page_size=1`)).length).toBe(1);
  expect((await admin().get(`${CAMPAIGNS}?status=open`)).body.errors).toHaveProperty('status');
});
