/** Officers see no amount where their organization hides amounts: the test calls every route that they reach, and searches every answer. */
import { buffer } from 'node:stream/consumers';
import Pdf from 'pdfkit';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import { openApiPath } from '../../api/http/docs/operations.js';
import type { Route } from '../../api/http/routes.js';
import { allRoutes } from '../../api/routes.js';
import { config } from '../../config.js';
import { Client } from '../support/api.js';
import { apiWorld } from '../support/apiWorld.js';
import { documentText } from '../support/documentText.js';
import { asOwner } from '../support/owner.js';
import { aMember, type Person } from '../support/world.js';
import { type Examples, exampleOf, examplesOf, idsOf, named, PRIVATE } from './everyRoute.js';
import { addressOf, type Ids } from './foreignIds.js';
import { amountsIn, amountsInTables, finderOf, LEAST, toldIn } from './hiddenAmounts.js';
import { plantAmounts } from './plantedAmounts.js';

config.THROTTLE_LIMITS = {
  ...config.THROTTLE_LIMITS,
  ...Object.fromEntries(['admin_password_reset_target', 'email_verification'].map((scope) => [scope, 10_000])),
};
const { api, world } = apiWorld();
let ids: Ids;
let examples: Examples;
let documented: Set<string>;
let find: (text: string) => string[];

const as = ({ token }: { token: string }) => new Client(api.url, { token });

/** An officer without debts: every amount in an answer is another person's. */
const anOfficer = (): Promise<Person> => aMember(world.organizationId, world.chapterId, 'officer');
const settings = (set: string) =>
  asOwner(`UPDATE org_dues_settings SET ${set} WHERE organization_id = $1`, [world.organizationId]);

beforeAll(async () => {
  ids = await idsOf(world);
  ids = { ...ids, chapters: world.chapterId, regions: world.regionId, memberships: world.member.membershipId };
  await settings(`payment_plans_enabled = true, plan_min_first_payment_cents = 1000037, officers_see_amounts = false`);
  ids = { ...ids, ...(await plantAmounts(world, as)) };
  examples = await examplesOf(new Client(api.url));
  documented = new Set(
    Object.entries(examples).flatMap(([path, methods]) => Object.keys(methods).map((one) => `${one} ${path}`)),
  );
  // Notifications for administrators contain amounts, sums too.
  const adminAmounts: number[] = [];
  for (const route of READS)
    adminAmounts.push(...amountsIn((await as(world.admin).get(addressOf(route, ids) + queryOf(route))).body));
  const planted = [...(await amountsInTables(world.organizationId)), ...adminAmounts].filter((cents) => cents >= LEAST);
  expect(new Set(planted).size).toBeGreaterThan(20);
  find = finderOf(planted);
});

const ROUTES = PRIVATE.filter(({ spec }) => spec.access !== 'platform');
const READS = ROUTES.filter(({ method }) => method === 'get');
const queryOf = ({ path }: Route): string =>
  ({
    '/api/billing/roster/': `?chapter=${world.chapterId}`,
    '/api/notifications/explain/': `?subject=invoice:${ids['chapter_invoices']}`,
  })[path] ?? '';

/** Routes about the caller's own account: the officer has none, and gets zeros. */
const OWN = /^\/api\/billing\/(me|balance)\//;

interface Answered {
  status: number;
  text: string;
  body: unknown;
}

async function ask({ token }: Person, route: Route, more = ''): Promise<Answered> {
  const body = route.method === 'get' ? undefined : exampleOf(route, examples, ids);
  const query = [queryOf(route).slice(1), more].filter(Boolean).join('&');
  const response = await fetch(`${api.url}${addressOf(route, ids)}${query && `?${query}`}`, {
    method: route.method.toUpperCase(),
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = `${JSON.stringify([...response.headers])}\n${await documentText(bytes)}`;
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, text, body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null };
}

/** Finds amounts in an answer. */
const leaksOf = ({ path }: Route, { text, body }: Answered): string[] => [
  ...find(text),
  ...(OWN.test(path) ? [] : toldIn(body)),
  ...(/hardship|Lost the job|Very private/.exec(text) ?? []),
];

test('the test covers every operation of the OpenAPI document except anonymous and platform ones', () => {
  const named = (routes: Route[]) => new Set(routes.map(({ method, path }) => `${method} ${openApiPath(path)}`));
  const [tested, others] = [named(ROUTES), named(allRoutes.filter((route) => !ROUTES.includes(route)))];
  expect([...documented].filter((one) => !tested.has(one) && !others.has(one))).toEqual([]);
  expect(tested.size).toBeGreaterThan(300);
});

/** Reads lists and rows as an officer. Returns the amounts that each operation reveals, or the status of an answer without any. */
async function readAll(routes: Route[]): Promise<Record<string, string[] | number>> {
  // Not the officer who wrote some of the texts: their own words are shown to them.
  const reader = await anOfficer();
  const read: Record<string, string[] | number> = {};
  for (const route of routes) {
    const answer = await ask(reader, route);
    const found = leaksOf(route, answer);
    read[named(route)] = found.length > 0 ? found : answer.status;
  }
  return read;
}

/** Operations that show amounts where officers may see them. */
const TELLING = [
  'GET /api/billing/roster/',
  'GET /api/billing/roster/:membership_id/ledger/',
  'GET /api/billing/remittances/:id/',
  'GET /api/billing/plan-requests/',
  'GET /api/chapters/:id/finances/ledger/',
  'GET /api/invoices/:id/explain/',
  'GET /api/invoices/:id/receipt/',
  'GET /api/chapters/:id/finances/statement/',
];

test('no answer to a read of an officer contains an amount', async () => {
  const read = await readAll(READS);
  expect(Object.entries(read).filter(([, found]) => typeof found !== 'number')).toEqual([]);
  const answered = Object.keys(read).filter((name) => Number(read[name]) < 300);
  expect(answered.filter((name) => /finances|billing|invoices|dues|remittances/.test(name)).length).toBeGreaterThan(15);
  // A refusal would reveal nothing anyway.
  expect(TELLING.map((name) => [name, read[name]])).toEqual(TELLING.map((name) => [name, 200]));
});

test('the same reads contain amounts where officers may see them', async () => {
  await settings('officers_see_amounts = true');
  const read = await readAll(READS.filter((route) => TELLING.includes(named(route))));
  await settings('officers_see_amounts = false');
  expect(TELLING.map((name) => [name, read[name]])).toEqual(TELLING.map((name) => [name, expect.any(Array)]));
});

test('the search finds an amount in JSON, a workbook and a PDF, in every notation', async () => {
  const found = finderOf([7_310_347, 1_203_510]);
  expect(found('{"a":7310347,"b":"73,103.47 $","c":"12035.1","d":"x7310347","e":27310347}')).toEqual([
    '7310347',
    '73,103.47',
    '12035.1',
  ]);
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('<c><v>73103.47</v></c>'), 'xl/worksheets/sheet1.xml');
  zip.end();
  expect(found(await documentText(await buffer(zip.outputStream)))).toEqual(['73103.47']);
  for (const font of ['Helvetica', require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')]) {
    const pdf = new Pdf({ info: { Title: 'Statement' } });
    pdf.font(font).text('Ann Leff').text('73,103.47 USD, due in time').end();
    expect([font, found(await documentText(await buffer(pdf)))]).toEqual([font, ['73,103.47']]);
  }
});

test('no answer to a change by an officer, allowed or refused, contains an amount', async () => {
  const leaks: Record<string, string[]> = {};
  for (const route of ROUTES.filter(({ method }) => method !== 'get')) {
    const found = leaksOf(route, await ask(await anOfficer(), route));
    if (found.length > 0) leaks[named(route)] = found;
  }
  expect(leaks).toEqual({});
});

/** Names and values of query parameters that refer to an amount. */
const OF_AMOUNTS = /cents|amount|balance|total/;

function amountQueries({ spec }: Route): string[] {
  const shape = (spec.query as z.ZodObject | undefined)?.shape ?? {};
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { enum: words = [] } = z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' }) as {
      enum?: string[];
    };
    return OF_AMOUNTS.test(name)
      ? [`${name}=1`]
      : words.filter((word) => OF_AMOUNTS.test(word)).map((word) => `${name}=${word}`);
  });
}

test('no list can be ordered or filtered by an amount', async () => {
  const accepted: string[] = [];
  const tried: string[] = [];
  for (const route of READS)
    for (const query of amountQueries(route)) {
      const { status } = await ask(world.officer, route, query);
      tried.push(`${route.path}?${query}`);
      if (status < 400) accepted.push(`${route.path}?${query}`);
    }
  expect(tried.length).toBeGreaterThan(3);
  expect(accepted).toEqual([]);
});
