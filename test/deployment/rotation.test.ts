/** New keys for a running platform, one process after another: no person is logged out, and nothing becomes unreadable. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import jwt from 'jsonwebtoken';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';
import { givePassword, PASSWORD } from '../api/identity/accounts.support.js';
import { Client } from '../support/api.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';
import { aKeyRing, type Deployment, end, ringText, startDeployment } from './deployment.js';

const RINGS = ['JWT_KEYS', 'DATA_KEYS', 'TEMPORAL_PAYLOAD_KEYS'] as const;
type Ring = (typeof RINGS)[number];
type Keys = { id: string; secret: string }[];
interface Tokens {
  access_token: string;
  refresh_token: string;
}

let deployment: Deployment;
let world: World;
let old: Record<Ring, Keys>;
let fresh: Record<Ring, Keys>;
let login: Tokens;
/** A payment that began under the old keys, and waits for its gateway during the whole rotation. */
let waiting: string;

beforeAll(async () => {
  const environment = { SHUTDOWN_GRACE_SECONDS: '2', PAY_WAIT_SECONDS: '1' };
  deployment = await startDeployment({ apis: 2, workers: 1, environment });
  old = Object.fromEntries(RINGS.map((ring) => [ring, config[ring]])) as Record<Ring, Keys>;
  fresh = Object.fromEntries(RINGS.map((ring) => [ring, aKeyRing('second')])) as Record<Ring, Keys>;
  world = await aWorld({ members: 2 });
  await aProcessor(world);
  await givePassword(world.officer.userId);
  login = (await native(0).post('/api/auth/login/', { email: world.officer.email, password: PASSWORD })).body;
  waiting = await aDraft();
  await fault('POST', { kind: 'hang', times: 1000, remittance_id: waiting });
  expect(await pay(waiting)).toBe('remittance_in_progress');
});

afterAll(() => deployment.close());

const native = (api: number, token?: string): Client =>
  new Client(deployment.apis[api]?.url ?? '', { headers: { 'X-Client': 'native' }, ...(token ? { token } : {}) });

/** Stops each of the three processes in order and starts it with these key rings. */
async function restart(part: 'api' | 'worker', index: number, ringOf: (ring: Ring) => Keys): Promise<void> {
  const environment = Object.fromEntries(RINGS.map((ring) => [ring, ringText(ringOf(ring))]));
  const parts = part === 'api' ? deployment.apis : deployment.workers;
  const running = parts[index];
  if (!running) throw new Error('There is no such part.');
  expect(await end(running, 'SIGTERM')).toBe(0);
  parts[index] =
    part === 'api'
      ? await deployment.startApi(Number(new URL(running.url).port), environment)
      : await deployment.startWorker(environment);
}

const newBehind = (ring: Ring): Keys => [...old[ring], ...fresh[ring]];
const newFirst = (ring: Ring): Keys => [...fresh[ring], ...old[ring]];
/** Histories contain payloads under the old key for as long as Temporal retains them. */
const withoutOld = (ring: Ring): Keys => (ring === 'TEMPORAL_PAYLOAD_KEYS' ? newFirst(ring) : fresh[ring]);

const fault = (method: string, body?: object) =>
  fetch(`${deployment.gateway.controlUrl}/faults`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });

async function aDraft(): Promise<string> {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const shares = [{ invoice, amount_cents: 10_000 }];
  const { body } = await native(0, login.access_token).post('/api/billing/remittances/', {
    chapter: chapterId,
    allocations: shares,
  });
  return body.id;
}

async function pay(id: string): Promise<string> {
  const officer = native(1, login.access_token);
  const { body } = await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });
  return body.code ?? body.status;
}

const statusOf = async (id: string): Promise<string> =>
  (await native(0, login.access_token).get(`/api/billing/remittances/${id}/`)).body.status;

const statuses = (token: string) =>
  Promise.all([0, 1].map(async (api) => (await native(api, token).get('/api/auth/me/')).status));

async function refresh(api: number): Promise<void> {
  const answer = await native(api).post('/api/auth/token/refresh/', { refresh_token: login.refresh_token });
  expect(answer.status).toBe(200);
  login = answer.body;
}

const keyOf = (token: string): string | undefined => jwt.decode(token, { complete: true })?.header.kid;

/** The keys with which a payment's process was encrypted. */
async function payloadKeys(remittanceId: string): Promise<string[]> {
  const [row] = await asOwner<{ workflow_id: string }>('SELECT workflow_id FROM outbox WHERE workflow_id LIKE $1', [
    `%${remittanceId}%`,
  ]);
  const { events } = await temporal()
    .workflow.getHandle(row?.workflow_id ?? '')
    .fetchHistory();
  const payloads = events?.flatMap((event) => event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []);
  return (payloads ?? []).map(({ metadata }) => Buffer.from(metadata?.['key-id'] ?? []).toString());
}

test('adding the new keys behind the old ones, one process after another, interrupts nothing', async () => {
  await restart('api', 0, newBehind);
  await refresh(0);
  expect(await statuses(login.access_token)).toEqual([200, 200]);
  expect(keyOf(login.access_token)).toBe('jwt-1');
  await Promise.all([restart('api', 1, newBehind), restart('worker', 0, newBehind)]);
});

test('putting the new keys first lets other processes read what one process signs and encrypts with them', async () => {
  const before = login.access_token;
  await restart('api', 0, newFirst);
  await refresh(0);
  expect(keyOf(login.access_token)).toBe('second');
  expect(await statuses(login.access_token)).toEqual([200, 200]);
  expect(await statuses(before)).toEqual([200, 200]);
  await Promise.all([restart('api', 1, newFirst), restart('worker', 0, newFirst)]);
  await refresh(1);
  expect(await statuses(login.access_token)).toEqual([200, 200]);
});

test('secrets at rest are encrypted again while the platform runs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [path.resolve('dist/bin/rotate-keys.js')], {
    env: { ...process.env, DATA_KEYS: ringText(newFirst('DATA_KEYS')) },
  });
  expect(stdout).toContain('2 secrets examined, 2 encrypted with key second.');
});

test('removing the old keys refuses their tokens, and new and waiting payments continue', async () => {
  const oldToken = jwt.sign(jwt.decode(login.access_token) as object, old.JWT_KEYS[0]?.secret ?? '', {
    keyid: 'jwt-1',
  });
  expect(await statuses(oldToken)).toEqual([200, 200]);
  await Promise.all([restart('api', 0, withoutOld), restart('worker', 0, withoutOld)]);
  await restart('api', 1, withoutOld);
  expect(await statuses(oldToken)).toEqual([401, 401]);
  expect(await statuses(login.access_token)).toEqual([200, 200]);

  const id = await aDraft();
  await pay(id);
  await eventually(
    () => statusOf(id),
    (status) => status === 'settled',
  );
  expect(await payloadKeys(id)).toEqual(['second']);

  expect(await statusOf(waiting)).toBe('processing');
  expect(await payloadKeys(waiting)).toEqual(['payload-1']);
  await fault('DELETE');
  await eventually(
    () => statusOf(waiting),
    (status) => status === 'settled',
    60,
  );
  await expectSoundLedger();
});
