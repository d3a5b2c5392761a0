/** One trace from a request to the last step of its process, through separate processes and any dispatcher. */
import path from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';
import { payloadCodecs } from '../../gateways/temporal/codec.js';
import { PROCESSES } from '../../workflows/contracts/index.js';
import { Client } from '../support/api.js';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.js';
import { recordedHistories, replayAll } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, type Platform, startPlatform } from '../support/platform.js';
import { type OwnProcess, startOwn } from '../support/processes.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const KEY = { id: 'k1', secret: Buffer.alloc(32, 7).toString('base64') };
const BUNDLES = {
  plain: path.resolve('dist/workflow-bundle.js'),
  traced: path.resolve('dist/workflow-bundle.traced.js'),
};
const STEPS = ['openCharge', 'confirmCharge', 'settleCharge'];

let platform: Platform;
let world: World;
let collector: Collector;
const processes: OwnProcess[] = [];

const start = async (part: 'api' | 'worker', env: Record<string, string> = {}): Promise<OwnProcess> => {
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    STRIPE_API_URL: platform.gateway.url,
    WORKFLOW_BUNDLE: BUNDLES.plain,
    RELAY_SWEEP_SECONDS: '1',
    // Trace contexts pass the codec, like in production.
    TEMPORAL_PAYLOAD_KEYS: `${KEY.id}:${KEY.secret}`,
    ...env,
  };
  const own = await startOwn(part, traced);
  processes.push(own);
  return own;
};

beforeAll(async () => {
  collector = await startCollector();
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 3 });
  await aProcessor(world);
  await start('worker');
});

afterAll(async () => {
  await Promise.all(processes.map((own) => own.stop()));
  await platform.close();
  await collector.close();
});

/** Pays one invoice over an API. @returns the id of that request */
async function payOver(api: OwnProcess, requestId: string): Promise<void> {
  const officer = new Client(`http://127.0.0.1:${api.port}`, { token: world.officer.token });
  const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const { body } = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: [{ invoice, amount_cents: 10_000 }],
  });
  await officer.post(
    `/api/billing/remittances/${body.id}/pay/`,
    { payment_method: 'pm_card_visa' },
    { 'X-Request-Id': requestId },
  );
  await eventually(
    async () => (await officer.get(`/api/billing/remittances/${body.id}/`)).body,
    ({ status }) => status === 'settled',
    60,
  );
}

const attribute = ({ attributes }: CollectedSpan, name: string) =>
  attributes.find(({ key }) => key === name)?.value.stringValue;

/** The spans of a request's trace, once it contains the named ones. */
const traceOf = (requestId: string, ...awaited: [service: string, name: string][]): Promise<CollectedSpan[]> =>
  eventually(
    async () => {
      const request = collector.spans.find(
        (span) => attribute(span, 'requestId') === requestId && attribute(span, 'http.route') !== undefined,
      );
      return collector.spans.filter(({ traceId }) => traceId === request?.traceId);
    },
    (spans) => awaited.every(([service, name]) => spans.some((span) => span.service === service && span.name === name)),
  );

/** The names of a span and of all its ancestors, from the root. */
function lineage(spans: CollectedSpan[], name: string): string[] {
  const line: string[] = [];
  for (
    let span = spans.find((one) => one.name === name);
    span;
    span = spans.find(({ spanId }) => spanId === span?.parentSpanId)
  )
    line.unshift(span.name);
  return line;
}

const PAY = 'POST /api/billing/remittances/:id/pay/';

test('a payment is one trace: request, outbox, process, steps and gateway calls', async () => {
  const api = await start('api');
  await payOver(api, 'a-traced-payment');
  const spans = await traceOf('a-traced-payment', ['membership-worker', 'RunWorkflow:payRemittance']);
  expect(lineage(spans, 'gateway confirmCharge')).toEqual([
    PAY,
    'dispatch payRemittance',
    'StartWorkflow:payRemittance',
    'RunWorkflow:payRemittance',
    'StartActivity:confirmCharge',
    'RunActivity:confirmCharge',
    'gateway confirmCharge',
  ]);
  expect(spans.map(({ name }) => name)).toEqual(
    expect.arrayContaining(STEPS.flatMap((step) => [`StartActivity:${step}`, `RunActivity:${step}`])),
  );
  expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['membership-api', 'membership-worker']));
});

test('the relay continues the trace of a request that could not dispatch', async () => {
  const api = await start('api', { TEMPORAL_ADDRESS: '127.0.0.1:1', PAY_WAIT_SECONDS: '1' });
  await payOver(api, 'a-payment-without-temporal');
  const spans = await traceOf(
    'a-payment-without-temporal',
    ['membership-api', 'dispatch payRemittance'],
    ['membership-worker', 'dispatch payRemittance'],
    ['membership-worker', 'RunWorkflow:payRemittance'],
  );
  expect(lineage(spans, 'RunActivity:settleCharge').slice(0, 4)).toEqual([
    PAY,
    'dispatch payRemittance',
    'StartWorkflow:payRemittance',
    'RunWorkflow:payRemittance',
  ]);
});

test('spans contain ids and names of the platform, never typed texts or error messages', async () => {
  const people = await asOwner<{ email: string; last_name: string }>('SELECT email, last_name FROM users');
  const spanText = JSON.stringify(collector.spans);
  for (const { email, last_name } of people) {
    expect(spanText).not.toContain(email);
    expect(spanText).not.toContain(last_name);
  }
  expect(spanText).not.toContain(world.officer.token);
  expect(collector.spans.filter(({ status }) => status?.message)).toEqual([]);
  const events = collector.spans.flatMap((span) => span.events ?? []);
  expect(events.length).toBeGreaterThan(0);
  expect(new Set(events.flatMap((event) => (event.attributes ?? []).map(({ key }) => key)))).toEqual(
    new Set(['exception.type']),
  );
});

test('without tracing no trace is recorded', async () => {
  const api = await startOwn('api', { TEMPORAL_PAYLOAD_KEYS: `${KEY.id}:${KEY.secret}` });
  processes.push(api);
  await payOver(api, 'an-untraced-payment');
  const written = await asOwner<{ traced: boolean }>(
    `SELECT traceparent IS NOT NULL AS traced FROM outbox WHERE process = 'payRemittance' ORDER BY id`,
  );
  expect(written.map(({ traced }) => traced)).toEqual([true, true, false]);
});

describe('switching tracing on and off', () => {
  beforeAll(() => Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) }));

  test.each(['plain', 'traced'] as const)('%s code replays a history that was recorded with traces', async (kind) => {
    config.TEMPORAL_PAYLOAD_KEYS = [KEY];
    const [row] = await asOwner<{ workflow_id: string }>(
      `SELECT workflow_id FROM outbox WHERE process = 'payRemittance' AND traceparent IS NOT NULL ORDER BY id LIMIT 1`,
    );
    const history = await temporal()
      .workflow.getHandle(row?.workflow_id ?? '')
      .fetchHistory();
    const headers = history.events?.find((event) => event.workflowExecutionStartedEventAttributes);
    expect(headers?.workflowExecutionStartedEventAttributes?.header?.fields).toHaveProperty('_tracer-data');
    const bundle = { workflowBundle: { codePath: BUNDLES[kind] }, dataConverter: { payloadCodecs: payloadCodecs() } };
    await Worker.runReplayHistory(bundle, history, row?.workflow_id);
  });

  test('code with tracing replays the histories that were recorded without', async () => {
    config.WORKFLOW_BUNDLE = BUNDLES.traced;
    const replayed = await replayAll();
    expect(PROCESSES.filter(({ name }) => !recordedHistories(name).some((file) => replayed.has(file)))).toEqual([]);
    expect([...replayed].filter(([, error]) => error !== undefined)).toEqual([]);
  });
});
