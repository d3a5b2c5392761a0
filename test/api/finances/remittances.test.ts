import { randomUUID } from 'node:crypto';
import { type Client, Client as ApiClient } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aProcessor } from '../../support/platform.js';
import { countStatements } from '../../support/statements.js';
import { anInvoice } from '../../support/world.js';

let officer: Client;

const as = (person: { token: string }, headers = {}) => new ApiClient(api.url, { token: person.token, headers });

const { api, world, other } = apiWorld();
beforeAll(async () => {
  await aProcessor(world);
  officer = as(world.officer);
});

const PATH = '/api/billing/remittances/';
const invoice = (cents = 1_000) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, cents });
const create = async (allocations: object[], extra: object = {}) =>
  officer.post(PATH, { chapter: world.chapterId, allocations, ...extra });
const aDraft = async (cents = 1_000): Promise<string> =>
  (await create([{ invoice: await invoice(cents), amount_cents: cents }])).body.id;

test('remittances need a signed-in person', async () => {
  expect(await new ApiClient(api.url).get(PATH)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
});

test('a member without an office may not list remittances', async () => {
  expect(await as(world.member).get(PATH)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test("an officer gets the same answer for another chapter's remittance as for an unknown one", async () => {
  const id = await aDraft();
  const [foreign, unknown] = [
    await as(world.otherOfficer).get(`${PATH}${id}/`),
    await as(world.otherOfficer).get(`${PATH}${randomUUID()}/`),
  ];
  expect(foreign).toMatchObject({ status: 404 });
  expect(foreign.body).toEqual(unknown.body);
});

test.each(['', 'payment-config/', 'pay/', 'resolve/'])(
  "another organization's remittance is not found: %s",
  async (action) => {
    const id = await aDraft();
    const client = as(other.officer);
    const body = {
      pay: { payment_method: 'pm_card_visa' },
      resolve: { allocations: [{ invoice: randomUUID(), amount_cents: 1 }], resolution_note: 'x' },
    };
    const ask = (which: string) =>
      action === 'pay/' || action === 'resolve/'
        ? client.post(`${PATH}${which}/${action}`, body[action === 'pay/' ? 'pay' : 'resolve'])
        : client.get(`${PATH}${which}/${action}`);
    expect(await ask(id)).toMatchObject({ status: 404, body: (await ask(randomUUID())).body });
  },
);

test('the total is computed, and a total from the client is refused', async () => {
  const answer = await create([{ invoice: await invoice(), amount_cents: 1_000 }], { total_cents: 1 });
  expect(answer).toMatchObject({ status: 400, body: { errors: { total_cents: ['Unknown field.'] } } });
});

test.each([
  ['nothing', 0],
  ['less than nothing', -1],
  ['half a cent', 0.5],
  ['a text', '100'],
  ['more than is due', 1_001],
])('an allocation of %s is refused at its field', async (_, amount) => {
  const answer = await create([{ invoice: await invoice(), amount_cents: amount }]);
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } });
  expect(Object.keys(answer.body.errors)).toEqual(['allocations.0.amount_cents']);
});

test('a total below the minimum card charge is refused, and exactly the minimum is accepted', async () => {
  const two = [await invoice(), await invoice()];
  const shares = (cents: number[]) => two.map((id, n) => ({ invoice: id, amount_cents: cents[n] }));
  expect(await create(shares([25, 24]))).toMatchObject({
    status: 400,
    body: { errors: { allocations: ['The total is less than the minimum card charge. Add an invoice.'] } },
  });
  expect((await create(shares([25, 25]))).status).toBe(201);
});

test('an invoice can be allocated only once in a remittance', async () => {
  const id = await invoice();
  const answer = await create([
    { invoice: id, amount_cents: 10 },
    { invoice: id, amount_cents: 10 },
  ]);
  expect(answer.body.errors).toEqual({ 'allocations.1.invoice': ['This invoice is listed twice.'] });
});

test.each([
  [
    "another chapter's member invoice",
    () => anInvoice(world, { chapterId: world.otherChapterId, membershipId: world.otherOfficer.membershipId }),
  ],
  ["the chapter's own invoice", () => anInvoice(world, { chapterId: world.chapterId, membershipId: null })],
  [
    "another organization's invoice",
    () => anInvoice(other, { chapterId: other.chapterId, membershipId: other.member.membershipId }),
  ],
  ['an unknown invoice', () => Promise.resolve(randomUUID())],
])('%s is refused with the same message', async (_, make) => {
  const answer = await create([{ invoice: await make(), amount_cents: 10 }]);
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: { 'allocations.0.invoice': ['This is not a member invoice of this chapter.'] } },
  });
});

test('an invalid allocation creates no remittance', async () => {
  const before = await asOwner('SELECT count(*) FROM chapter_remittances');
  await create([
    { invoice: await invoice(), amount_cents: 10 },
    { invoice: randomUUID(), amount_cents: 10 },
  ]);
  expect(await asOwner('SELECT count(*) FROM chapter_remittances')).toEqual(before);
});

test('an officer cannot create a remittance for another chapter', async () => {
  const answer = await officer.post(PATH, {
    chapter: world.otherChapterId,
    allocations: [{ invoice: randomUUID(), amount_cents: 10 }],
  });
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
});

test('a stale allocation is refused before any charge', async () => {
  const id = await invoice();
  const remittance = (await create([{ invoice: id, amount_cents: 1_000 }])).body.id;
  await asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, 500, 'Hardship')`,
    [world.organizationId, id],
  );
  expect(await officer.post(`${PATH}${remittance}/pay/`, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 400,
    body: {
      code: 'allocation_stale',
      errors: { 'allocations.0.amount_cents': ['This is more than the balance of the invoice.'] },
    },
  });
  expect((await officer.get(`${PATH}${remittance}/`)).body).toMatchObject({ status: 'draft', attempts: [] });
});

test.each([
  {},
  { payment_method: '' },
  { payment_method: '4242424242424242' },
  { payment_method: 'pm_card_visa', amount_cents: 5 },
  { payment_method: 7 },
])('a payment of %j is refused and charges nothing', async (body) => {
  const id = await aDraft();
  expect(await officer.post(`${PATH}${id}/pay/`, body)).toMatchObject({
    status: 400,
    body: { code: 'validation_error' },
  });
  expect((await officer.get(`${PATH}${id}/`)).body.attempts).toEqual([]);
});

test('a payment is refused if the organization has no processor', async () => {
  const id = await anInvoice(other, {
    chapterId: other.chapterId,
    membershipId: other.member.membershipId,
    cents: 100,
  });
  const client = as(other.officer);
  const { body } = await client.post(PATH, {
    chapter: other.chapterId,
    allocations: [{ invoice: id, amount_cents: 100 }],
  });
  expect(await client.post(`${PATH}${body.id}/pay/`, { payment_method: 'pm_card_visa' })).toMatchObject({
    status: 400,
    body: { code: 'payment_processor_required' },
  });
});

test('a draft cannot be resolved', async () => {
  const id = await aDraft();
  const body = { allocations: [{ invoice: await invoice(), amount_cents: 1_000 }], resolution_note: 'x' };
  expect(await officer.post(`${PATH}${id}/resolve/`, body)).toMatchObject({
    status: 409,
    body: { code: 'remittance_not_flagged' },
  });
});

test('the payment form gets the amount and the metadata of its charge', async () => {
  const id = await aDraft();
  expect((await officer.get(`${PATH}${id}/payment-config/`)).body).toMatchObject({
    provider: 'stripe',
    amount_cents: 1_000,
    metadata: { remittance_id: id, organization_id: world.organizationId },
  });
});

test('officers who see no amounts get none in answers about remittances', async () => {
  const id = await aDraft();
  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  try {
    const detail = (await officer.get(`${PATH}${id}/`)).body;
    expect(detail).toMatchObject({ total_cents: null, allocations: [{ amount_cents: null }] });
    expect(
      (await officer.get(PATH)).body.results.every(({ total_cents }: { total_cents: unknown }) => total_cents === null),
    ).toBe(true);
    expect((await officer.get(`${PATH}${id}/payment-config/`)).body.amount_cents).toBeNull();
    expect((await as(world.admin).get(`${PATH}${id}/`)).body.total_cents).toBe(1_000);
  } finally {
    await asOwner('UPDATE org_dues_settings SET officers_see_amounts = true WHERE organization_id = $1', [
      world.organizationId,
    ]);
  }
});

describe('remittances while officers see no amounts', () => {
  const show = (shown: boolean) =>
    asOwner('UPDATE org_dues_settings SET officers_see_amounts = $2 WHERE organization_id = $1', [
      world.organizationId,
      shown,
    ]);
  beforeEach(() => show(false));
  afterEach(() => show(true));
  const anOpen = (cents: number) =>
    anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, cents });
  const create = (client: Client, allocations: object[]) =>
    client.post(PATH, { chapter: world.chapterId, allocations });

  test('an officer who sees no amounts cannot set one, and each allocation takes the balance due', async () => {
    const [one, other] = [await anOpen(700), await anOpen(300)];
    const answers = [1, 700, 701, 99_999_999].map((amount_cents) =>
      create(officer, [{ invoice: other }, { invoice: one, amount_cents }]),
    );
    const bodies = (await Promise.all(answers)).map(({ status, body }) => ({ status, body }));
    expect(new Set(bodies.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(bodies[0]).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: { 'allocations.1.amount_cents': [expect.stringContaining('Leave')] } },
    });
    const made = await create(officer, [{ invoice: one }, { invoice: other }]);
    expect(made).toMatchObject({ status: 201, body: { total_cents: null, allocations: [{ amount_cents: null }, {}] } });
    expect((await as(world.admin).get(`${PATH}${made.body.id}/`)).body).toMatchObject({
      total_cents: 1_000,
      allocations: [{ amount_cents: 700 }, { amount_cents: 300 }],
    });
  });

  test('administrators may set amounts while officers see none, and everyone must set them otherwise', async () => {
    const invoice = await anOpen(700);
    const admin = as(world.admin);
    expect(await create(admin, [{ invoice, amount_cents: 500 }])).toMatchObject({
      status: 201,
      body: { total_cents: 500 },
    });
    await show(true);
    for (const client of [admin, officer])
      expect(await create(client, [{ invoice }])).toMatchObject({
        status: 400,
        body: { errors: { 'allocations.0.amount_cents': ['Required.'] } },
      });
  });
});

test('the list of remittances takes the same number of statements for one and for many', async () => {
  await aDraft();
  const few = await countStatements(() => officer.get(`${PATH}?page_size=1`));
  await Promise.all(Array.from({ length: 5 }, () => aDraft()));
  const many = await countStatements(() => officer.get(`${PATH}?page_size=50`));
  expect(many).toBe(few);
});

test.each(['status=lost', 'ordering=colour', 'colour=red', 'page=0', 'page_size=many', 'chapter=here'])(
  'a list with %s is refused at its field',
  async (query) => {
    const answer = await officer.get(`${PATH}?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    expect(Object.keys(answer.body.errors)).toEqual([query.split('=')[0]]);
  },
);

test('a page past the end is not found', async () => {
  expect(await officer.get(`${PATH}?page=9999`)).toMatchObject({ status: 404, body: { code: 'page_not_found' } });
});
