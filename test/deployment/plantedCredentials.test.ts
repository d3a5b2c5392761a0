/**
 * Credentials of card providers stay encrypted: no API answer, log line, history of a process or row contains them, also when
 * answers are lost, cards and keys are refused and values are mistyped.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { temporal as protobuf } from '@temporalio/proto';
import { freePort } from '../../development/stack/ports.js';
import { CARDS } from '../../development/standins/checkout/state.js';
import { VAULT } from '../../development/standins/paypal/money.js';
import { temporal } from '../../gateways/temporal/client.js';
import { Client } from '../support/api.js';
import { startCheckout } from '../support/checkout.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';
import { startPaypal } from '../support/paypal.js';
import { startSquare } from '../support/square.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let paypal: Awaited<ReturnType<typeof startPaypal>>;
let checkout: Awaited<ReturnType<typeof startCheckout>>;
let square: Awaited<ReturnType<typeof startSquare>>;
let url: string;
const programs: ChildProcess[] = [];
const folder = mkdtempSync(path.join(os.tmpdir(), 'planted-'));
const output = openSync(path.join(folder, 'said'), 'a');
/** Everything that the API answered, with its headers. */
const answered: string[] = [];

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  [square, paypal, checkout] = [await startSquare(), await startPaypal(), await startCheckout()];
  const more = {
    LOG_LEVEL: 'debug',
    SQUARE_API_URL: square.url,
    PAYPAL_API_URL: paypal.url,
    PAYPAL_CA: paypal.authority,
    CHECKOUT_API_URL: checkout.url,
  };
  programs.push(spawnPart('worker', platform.gateway, more, output));
  const [port, metrics] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  const listens = { BACKEND_URL: url, PORT: String(port), METRICS_PORT: String(metrics) };
  programs.push(spawnPart('api', platform.gateway, { ...more, ...listens }, output));
  await eventually(
    () => fetch(`${url}/api/schema/`).catch(() => null),
    (answer) => answer?.status === 200,
    60,
  );
});

afterAll(async () => {
  for (const program of programs) {
    program.kill('SIGKILL');
    await once(program, 'exit');
  }
  await square.close();
  await paypal.close();
  await checkout.close();
  await platform.close();
  closeSync(output);
  rmSync(folder, { recursive: true });
});

/** Text that is in every credential and nowhere else; each provider has its own, in small or capital letters. */
const MARK = 'plantedmark';
const isMarked = (text: string): boolean => text.toLowerCase().includes(MARK);
/** Text that is in fields which may be read. */
const VISIBLE = 'a-label-that-may-be-read';

const PROVIDERS = [
  {
    provider: 'stripe',
    secret_key: `sk_test_${MARK}keyofstripe`,
    webhook_secret: `whsec_${MARK}ofstripe`,
    good: 'pm_card_visa',
    declined: 'pm_card_chargeDeclined',
    lose: () => platform.fault({ kind: 'drop_after_capture', operation: 'create' }),
    revoke: (key: string) => platform.changeKey({ key, revoked: true }),
  },
  {
    provider: 'square',
    secret_key: `EAAA_${MARK}keyofsquare`,
    credentials: { location_id: `L${MARK.toUpperCase()}` },
    webhook_secret: `${MARK}_signature_key`,
    good: 'cnon:card-nonce-ok',
    declined: 'cnon:card-nonce-declined',
    lose: () => square.order('POST', '/faults', { kind: 'drop_after_capture', operation: 'create' }),
    revoke: (key: string) => square.order('POST', '/keys', { key, revoked: true }),
  },
  {
    provider: 'paypal',
    secret_key: `E${MARK}keyofpaypal`,
    credentials: { client_id: `A${MARK}client` },
    webhook_secret: `WH-${MARK}ofpaypal`,
    good: VAULT.good,
    declined: VAULT.declined,
    lose: () => paypal.order('POST', '/faults', { kind: 'drop_after_capture', operation: 'create' }),
    revoke: (secret: string) =>
      paypal.order('POST', '/clients', { client_id: `A${MARK}client`, secret, revoked: true }),
  },
  {
    provider: 'checkout',
    secret_key: `sk_sbox_${`${MARK}of`.padEnd(26, 'k')}=`,
    // Neither is secret: they name the account.
    credentials: { processing_channel_id: `pc_${'c'.repeat(26)}`, subdomain: 'ourprefix' },
    webhook_secret: `signature_${MARK}_of_checkout`,
    good: CARDS.good,
    declined: CARDS.declined,
    lose: () => checkout.order('POST', '/faults', { kind: 'drop_after_capture', operation: 'create' }),
    revoke: (key: string) => checkout.order('POST', '/keys', { key, revoked: true }),
  },
];

/** Keeps the answers. */
function listening(person: { token: string }) {
  const client = new Client(url, { token: person.token });
  const keepAnswer = async <T>(request: Promise<T>): Promise<T> => {
    const answer = await request;
    const { headers } = answer as { headers?: Headers };
    answered.push(JSON.stringify([answer, headers && Object.fromEntries(headers)]));
    return answer;
  };
  return {
    get: (where: string) => keepAnswer(client.get(where)),
    post: (where: string, body: object = {}) => keepAnswer(client.post(where, body)),
  };
}

async function pay(world: World, paymentMethod: string) {
  const admin = listening(world.admin);
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 5_000 });
  const allocations = [{ invoice, amount_cents: 5_000 }];
  const { body } = await admin.post('/api/billing/remittances/', { chapter: chapterId, allocations });
  const where = `/api/billing/remittances/${body.id}/`;
  const paid = await admin.post(`${where}pay/`, { payment_method: paymentMethod });
  return { invoice, where, paid };
}

test.each(PROVIDERS)('$provider: no credential appears in any answer, log, history or row', async (given) => {
  const { provider, secret_key, webhook_secret, credentials, good, declined, lose, revoke } = given;
  const world = await aWorld({ members: 1 });
  const admin = listening(world.admin);
  const processors = `/api/organizations/${world.organizationId}/payment-processors/`;
  const connect = { provider, label: VISIBLE, secret_key, webhook_secret, ...(credentials && { credentials }) };
  expect((await admin.post(processors, { ...connect, more: secret_key })).status).toBe(400);
  const { status, body: connected } = await admin.post(processors, connect);
  expect(status).toBe(201);

  await lose();
  const { invoice, where } = await pay(world, good);
  await eventually(
    async () => (await admin.get(where)).body,
    (one) => one.status === 'settled',
    60,
  );
  expect((await pay(world, declined)).paid.status).toBe(400);
  await admin.post(`/api/invoices/${invoice}/refund/`, { reason: 'It was cancelled' });
  await admin.post(`${processors}${connected.id}/verify/`);
  const event = JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', secret: webhook_secret });
  const eventAnswer = await fetch(connected.webhook_url, { method: 'POST', body: event });
  answered.push(await eventAnswer.text());

  await revoke(secret_key);
  expect(await admin.post(`${processors}${connected.id}/verify/`)).toMatchObject({ body: { valid: false } });
  await pay(world, good);
  await admin.post(`${processors}${connected.id}/rotate/`, { secret_key: `${secret_key}2`, webhook_secret: 'x' });
  for (const list of ['payment-processors/', 'audit-log/', 'unmatched-payments/'])
    expect((await admin.get(`/api/organizations/${world.organizationId}/${list}`)).status).toBe(200);
  for (const { id } of (await admin.get('/api/processes/')).body.results) await admin.get(`/api/processes/${id}/`);

  expect(answered.filter(isMarked)).toEqual([]);
  expect(answered.some((answer) => answer.includes(VISIBLE))).toBe(true);
  expect(await rowsWith(MARK)).toEqual([]);
  expect(await rowsWith(VISIBLE)).toContain('org_payment_processors');
  const histories = await historiesOf(world.organizationId);
  expect(histories.filter(isMarked)).toEqual([]);
  expect(histories.some((history) => history.includes(world.organizationId))).toBe(true);
  const log = readFileSync(path.join(folder, 'said'), 'latin1');
  expect(log.split('\n').filter(isMarked)).toEqual([]);
  expect(log).toContain(world.organizationId);
});

/** The tables with a row that contains this text in any column. */
async function rowsWith(text: string): Promise<string[]> {
  const tables = await asOwner<{ name: string }>(
    `SELECT quote_ident(c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await asOwner(`SELECT FROM ${name} t WHERE t::text ILIKE $1 LIMIT 1`, [`%${text}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** All that Temporal keeps of an organization's processes. */
async function historiesOf(organizationId: string): Promise<string[]> {
  const { History } = protobuf.api.history.v1;
  const histories: string[] = [];
  for await (const { workflowId } of temporal().workflow.list({ query: `OrganizationId = '${organizationId}'` })) {
    const history = await temporal().workflow.getHandle(workflowId).fetchHistory();
    histories.push(Buffer.from(History.encode(history).finish()).toString('latin1'));
  }
  return histories;
}
