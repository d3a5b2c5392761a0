/** The command with which operators read encrypted payloads of Temporal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import type { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../config.js';
import { type RunningCodecServer, startCodecServer } from '../../bin/codec/server.js';
import { temporal } from '../../gateways/temporal/client.js';
import { payloadCodecs } from '../../gateways/temporal/codec.js';
import { payRemittance } from '../../workflows/contracts/index.js';
import type { Client } from '../support/api.js';
import { aProcessor, eventually, type Platform, startPlatform } from '../support/platform.js';
import { anInvoice, aWorld } from '../support/world.js';

const UI = 'https://temporal.example.org';
const SECRET = 'a-secret-that-operators-share-00000000';
const key = (id: string) => ({ id, secret: randomBytes(32).toString('base64') });
const [young, old] = [key('young'), key('old')];

type Payload = protobuf.api.common.v1.IPayload;

interface Json {
  metadata: Record<string, string>;
  data: string;
}

let platform: Platform;
let server: RunningCodecServer;
let stored: Json[];
let remittance: string;
let admin: Client;

beforeAll(async () => {
  Object.assign(config, { TEMPORAL_PAYLOAD_KEYS: [young, old] });
  platform = await startPlatform();
  server = await startCodecServer({
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    origin: UI,
    codecs: payloadCodecs(),
  });
  ({ stored, remittance } = await aPaidRemittance());
});
afterAll(async () => {
  await server.close();
  await platform.close();
});

/** @returns the payloads that Temporal has stored of the process, as the UI gets them */
async function aPaidRemittance(): Promise<{ stored: Json[]; remittance: string }> {
  const world = await aWorld({ members: 1 });
  admin = platform.client(world.admin);
  await aProcessor(world);
  const { chapterId, member } = world;
  const officer = platform.client(world.officer);
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  const { id } = (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body;
  const { body } = await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });
  const { events } = await temporal().workflow.getHandle(body.attempts[0].workflow_id).fetchHistory();
  const payloads = (events ?? []).flatMap((event) => [
    ...(event.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
    ...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    // The part that was settled within the workflow task of the process.
    ...(event.markerRecordedEventAttributes?.details?.['result']?.payloads ?? []),
    ...(event.userMetadata?.summary ? [event.userMetadata.summary] : []),
  ]);
  return { remittance: id, stored: payloads.map(asJson) };
}

const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
const asJson = ({ metadata, data }: Payload): Json => ({
  metadata: Object.fromEntries(Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)])),
  data: base64(data),
});

const ask = (where: string, payloads: unknown, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${server.port}${where}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Namespace': 'default', ...headers },
    body: JSON.stringify({ payloads }),
  });
const decoded = async (response: Response): Promise<Json[]> =>
  ((await response.json()) as { payloads: Json[] }).payloads;
const text = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();

test('payloads of the platform are stored encrypted', () => {
  expect(stored.length).toBeGreaterThanOrEqual(4);
  for (const { metadata, data } of stored) {
    expect(text(metadata['encoding'])).toBe('binary/encrypted');
    expect(text(data)).not.toContain(remittance);
  }
});

test('a client with the secret reads payloads, with the secret in the address or as a bearer token', async () => {
  const answers = [
    await ask(`/${SECRET}/decode`, stored),
    await ask('/decode', stored, { Authorization: `Bearer ${SECRET}` }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const [input, ...results] = await decoded(answer);
    expect(text(input?.metadata['encoding'])).toBe('json/plain');
    expect(JSON.parse(text(input?.data))).toMatchObject({ remittanceId: remittance });
    const shown = results.map(({ data }) => JSON.parse(text(data)) as unknown);
    expect(shown).toEqual(expect.arrayContaining(['settled', payRemittance.summary]));
  }
});

async function itsProcess(): Promise<{ id: string; workflow_id: string }> {
  const { results } = await eventually(
    async () => (await admin.get(`/api/processes/?subject=${remittance}`)).body,
    ({ count }) => count > 0,
  );
  return results[0];
}

test('the outcome of a process is encrypted on its way to the UI, which shows it in words', async () => {
  const { queryResult } = await temporal().workflowService.queryWorkflow({
    namespace: config.TEMPORAL_NAMESPACE,
    execution: { workflowId: (await itsProcess()).workflow_id },
    query: { queryType: '__temporal_workflow_metadata' },
  });
  const answered = asJson(queryResult?.payloads?.[0] as Payload);
  expect(text(answered.metadata['encoding'])).toBe('binary/encrypted');
  const [metadata] = await decoded(await ask(`/${SECRET}/decode`, [answered]));
  expect(JSON.parse(text(metadata?.data))).toMatchObject({ currentDetails: payRemittance.ends.settled });
});

test('the platform itself still shows the details of its process', async () => {
  const { body } = await admin.get(`/api/processes/${(await itsProcess()).id}/`);
  expect(body).toMatchObject({ status: 'completed', stage: 'settled', money_moved: 'yes' });
});

test('the platform reads payloads that the codec server encodes', async () => {
  const plain = { metadata: { encoding: btoa('json/plain') }, data: btoa('"a word"') };
  const [sealed] = await decoded(await ask(`/${SECRET}/encode`, [plain]));
  expect(text(sealed?.metadata['encoding'])).toBe('binary/encrypted');
  expect(await decoded(await ask(`/${SECRET}/decode`, [sealed]))).toEqual([plain]);
});

test.each([
  ['nothing', '/decode', {}],
  ['another secret', `/${'x'.repeat(40)}/decode`, {}],
  ['a wrong token', '/decode', { Authorization: 'Bearer nobody' }],
  ['nothing, to encode', '/encode', {}],
])('a client with %s is refused', async (_, where, headers) => {
  const answer = await ask(where, stored, headers);
  expect(answer.status).toBe(401);
  expect(await answer.text()).not.toContain(remittance);
});

test('only the Temporal UI may call the codec server from a browser', async () => {
  const preflight = (origin: string) =>
    fetch(`http://127.0.0.1:${server.port}/${SECRET}/decode`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-namespace,authorization',
        'Access-Control-Request-Private-Network': 'true',
      },
    });
  const allowed = await preflight(UI);
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe(UI);
  expect(allowed.headers.get('access-control-allow-private-network')).toBe('true');
  expect(allowed.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('x-namespace');
  const elsewhere = await preflight('https://elsewhere.example');
  expect([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  expect((await ask(`/${SECRET}/decode`, stored, { Origin: 'https://elsewhere.example' })).status).toBe(403);
  expect((await ask(`/${SECRET}/decode`, stored, { Origin: UI })).headers.get('access-control-allow-origin')).toBe(UI);
});

test('a payload that no key decrypts is returned as it is, and the others are decrypted', async () => {
  const foreign = { metadata: { ...stored[0]?.metadata, 'key-id': btoa('lost') }, data: stored[0]?.data };
  const broken = { metadata: stored[0]?.metadata, data: btoa('nothing that was ever sealed') };
  const [first, second, third] = await decoded(await ask(`/${SECRET}/decode`, [foreign, broken, stored[0]]));
  expect([first, second]).toEqual([foreign, broken]);
  expect(text(third?.data)).toContain(remittance);
});

test('a payload that an older key encrypted is still read', async () => {
  Object.assign(config, { TEMPORAL_PAYLOAD_KEYS: [key('newest'), young] });
  const rotated = await startCodecServer({
    host: '127.0.0.1',
    port: 0,
    secret: SECRET,
    origin: UI,
    codecs: payloadCodecs(),
  });
  const response = await fetch(`http://127.0.0.1:${rotated.port}/${SECRET}/decode`, {
    method: 'POST',
    body: JSON.stringify({ payloads: stored }),
  });
  expect(text((await decoded(response))[0]?.data)).toContain(remittance);
  await rotated.close();
});

test.each([
  ['no JSON', '{', 400],
  ['no payloads', '{"payloads": "all"}', 400],
  ['no base64', '{"payloads": [{"data": "???"}]}', 400],
  ['too many', JSON.stringify({ payloads: Array.from({ length: 10_001 }, () => ({})) }), 400],
  ['too much', `{"payloads": [{"data": "${'A'.repeat(9_000_000)}"}]}`, 413],
])('%s is refused without internal details', async (_, body, status) => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/${SECRET}/decode`, { method: 'POST', body });
  expect(answer.status).toBe(status);
  expect(Object.keys((await answer.json()) as object)).toEqual(['message']);
});

describe('the command', () => {
  const children: ChildProcess[] = [];
  afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

  function run(environment: Record<string, string>): { child: ChildProcess; output: () => string } {
    const child = spawn(process.execPath, [path.resolve('dist/bin/codec-server.js')], {
      env: { ...process.env, CODEC_PORT: '0', TEMPORAL_UI_URL: UI, ...environment },
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return { child, output: () => output };
  }

  test('the command creates a secret if none is given, prints its address, and ends on a signal', async () => {
    const { child, output } = run({ TEMPORAL_PAYLOAD_KEYS: `young:${young.secret}` });
    const [endpoint] = await eventually(
      async () => /http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}/.exec(output()) ?? [],
      (found) => found.length > 0,
    );
    const response = await fetch(`${endpoint}/decode`, { method: 'POST', body: JSON.stringify({ payloads: stored }) });
    expect(text((await decoded(response))[0]?.data)).toContain(remittance);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('the command does not print a secret that was given', async () => {
    const { output } = run({ TEMPORAL_PAYLOAD_KEYS: `young:${young.secret}`, CODEC_SECRET: SECRET });
    await eventually(
      async () => output(),
      (words) => words.includes('--codec-endpoint'),
    );
    expect(output()).not.toContain(SECRET);
    expect(output()).not.toContain(young.secret);
  });

  test('the command ends with a message when there are no payload keys', async () => {
    const { child, output } = run({});
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toContain('TEMPORAL_PAYLOAD_KEYS');
  });
});
