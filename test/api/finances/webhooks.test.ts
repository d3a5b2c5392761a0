/** The public webhook endpoint: the events that it reads, by processor. */
import { createHmac, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { BodyBounds } from '../../../api/http/boundedBody.js';
import { post } from '../../../api/http/routes.js';
import { FairSemaphore } from '../../../models/database/fairSemaphore.js';
import { type RunningApi, startApi } from '../../support/api.js';
import { aProcessor, WEBHOOK_SECRET } from '../../support/platform.js';
import { apiWorld } from '../../support/apiWorld.js';

const stage = apiWorld();
let own: string;
let others: string;
const requests: StartedRequest[] = [];

beforeAll(async () => {
  [own, others] = [await aProcessor(stage.world), await aProcessor(stage.other)];
});
afterEach(() => {
  for (const { request } of requests.splice(0)) request.destroy();
});

interface Answer {
  status: number | undefined;
  code: string | undefined;
  retryAfter: string | undefined;
}
interface StartedRequest {
  request: http.ClientRequest;
  answer: Promise<Answer>;
}

/** Begins a POST; the test writes its body. */
function begin(url: string, headers: http.OutgoingHttpHeaders = {}): StartedRequest {
  const request = http.request(url, { method: 'POST', headers, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    request.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        const { code } = JSON.parse(text) as { code?: string };
        resolve({ status: response.statusCode, code, retryAfter: response.headers['retry-after'] });
      });
    });
  });
  // Requests that a test leaves open are destroyed after it.
  answer.catch(() => undefined);
  const started = { request, answer };
  requests.push(started);
  return started;
}

const addressOf = (processor?: string): string =>
  `${stage.api.url}/api/finances/webhooks/processor/${processor === undefined ? '' : `?processor=${processor}`}`;

/** Delivers an event that is signed by its processor and changes nothing. */
function deliver(processor: string, named = true): Promise<Answer> {
  const object = { object: 'payment_intent', id: 'pi_1', metadata: { processor_id: processor } };
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type: 'payment_intent.created',
    data: { object },
  });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', WEBHOOK_SECRET).update(`${t}.${body}`).digest('hex');
  const headers = { 'Stripe-Signature': `t=${t},v1=${v1}`, 'Content-Length': Buffer.byteLength(body) };
  const { request, answer } = begin(addressOf(named ? processor : undefined), headers);
  request.end(body);
  return answer;
}

const LARGE = 256 * 1024;

test('a webhook with a Content-Length above 256 kB is refused before its body is sent', async () => {
  const { request, answer } = begin(addressOf(own), { 'Content-Length': LARGE + 1 });
  request.write('x');
  expect(await answer).toMatchObject({ status: 413, code: 'body_too_large' });
});

test('a webhook without a Content-Length is refused once its body exceeds 256 kB', async () => {
  const { request, answer } = begin(addressOf(own));
  request.write(Buffer.alloc(LARGE));
  request.write('x');
  expect(await answer).toMatchObject({ status: 413, code: 'body_too_large' });
});

test('a webhook body of 256 kB is read', async () => {
  const { request, answer } = begin(addressOf(own));
  request.end(Buffer.alloc(LARGE));
  expect(await answer).toMatchObject({ status: 400, code: 'webhook_refused' });
});

test('a compressed webhook body is refused', async () => {
  const { request, answer } = begin(addressOf(own), { 'Content-Encoding': 'gzip' });
  request.end('x');
  expect(await answer).toMatchObject({ status: 415, code: 'unsupported_media_type' });
});

test.each([randomUUID(), 'x', ''])(
  'an address with the processor %p is refused without its body',
  async (processor) => {
    const { request, answer } = begin(addressOf(processor), { 'Content-Length': 1_000 });
    request.write('x');
    expect(await answer).toMatchObject({ status: 400, code: 'webhook_refused' });
  },
);

test('a flood for one processor is refused with 503 while events of another processor are accepted', async () => {
  const flood = Array.from({ length: 100 }, () => begin(addressOf(own), { 'Content-Length': 1_000 }));
  for (const { request } of flood) request.write('x');
  expect(await Promise.any(flood.map(({ answer }) => answer))).toEqual({
    status: 503,
    code: 'busy',
    retryAfter: expect.stringMatching(/^[1-9]\d*$/),
  });
  expect(await deliver(others)).toMatchObject({ status: 200 });
  // Only the event names its processor.
  expect(await deliver(others, false)).toMatchObject({ status: 200 });
});

test('a processor is served again after a flood has ended', async () => {
  const flood = Array.from({ length: 40 }, () => begin(addressOf(own), { 'Content-Length': 1_000 }));
  for (const { request } of flood) request.write('x');
  const waits = deliver(own);
  for (const { request } of flood) request.destroy();
  expect(await waits).toMatchObject({ status: 200 });
});

describe('a route with a short body timeout', () => {
  let api: RunningApi;
  const slots = new FairSemaphore({ slots: 1, maxPerTenant: 1, reserve: 0, maxQueued: 1, waitMs: 100_000_000 });
  beforeAll(async () => {
    const bodyBounds: BodyBounds = { maxBytes: 10, seconds: 0.2, admit: () => slots.acquire('all') };
    const spec = { summary: 'Scratch', access: 'public', throttle: [], rawBody: true, bodyBounds } as const;
    api = await startApi({ routes: [post('/slow/', spec, async () => undefined)] });
  });
  afterAll(() => api.close());

  test('a body that arrives too slowly is refused with 408 and releases its slot', async () => {
    const { request, answer } = begin(`${api.url}/slow/`, { 'Content-Length': 10 });
    request.write('x');
    expect(await answer).toMatchObject({ status: 408, code: 'request_timeout' });
    await slots.acquire('all');
  });
});
