/** PayPal's answers about transactions and disputes, in forms that its stand-in does not produce. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { config } from '../../config.js';
import { writeMarks } from '../../gateways/payments/paypal/marks.js';
import { everyMovement } from '../../gateways/payments/portLedger.js';
import { CredentialsRefused, OutcomeUnknown, type Period } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';

interface Given {
  status: number;
  body: object;
}
/** The answer for the transactions between two times. */
type Answering = (from: number, to: number) => Given;
let answering: Answering;
/** The answers at other paths. */
let there: Record<string, object>;
let requestedPeriods: [from: number, to: number][];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [from, to] = ['start_date', 'end_date'].map((name) => Date.parse(searchParams.get(name) ?? '') / 1000);
    if (from && to) requestedPeriods.push([from, to]);
    const body = there[pathname];
    const given: Given = body ? { status: 200, body } : answering(from ?? 0, to ?? 0);
    response.writeHead(given.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(given.body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  Object.assign(config, { PAYPAL_API_URL: `http://127.0.0.1:${port}`, STRIPE_TIMEOUT_SECONDS: 2 });
});
beforeEach(() => {
  requestedPeriods = [];
  there = { '/v1/oauth2/token': { access_token: 'A21AA', token_type: 'Bearer', expires_in: 3600 } };
  answering = () => ({ status: 404, body: { name: 'RESOURCE_NOT_FOUND' } });
});
afterAll(() => server.close());

const PERIOD: Period = { from: new Date('2026-03-01T00:00:00.500Z'), to: new Date('2026-03-04T00:00:00.500Z') };
const [BEGIN, END] = [PERIOD.from, PERIOD.to].map((at) => Math.floor(at.getTime() / 1000)) as [number, number];
const whole = (details: object[] = []) => ({
  transaction_details: details,
  total_pages: 1,
  last_refreshed_datetime: '2026-03-04T00:00:00+0000',
});
const port = () => paymentPort({ provider: 'paypal', credentials: { secret_key: 'E', client_id: 'A' } });

async function listed() {
  const ids: string[] = [];
  for await (const { movementId } of everyMovement(port(), PERIOD)) ids.push(movementId);
  return ids;
}

test('a period is read in parts without gaps or overlaps', async () => {
  answering = () => ({ status: 200, body: whole() });
  await listed();
  expect([requestedPeriods[0]?.[0], requestedPeriods.at(-1)?.[1]]).toEqual([BEGIN, END]);
  for (const [n, [from]] of requestedPeriods.slice(1).entries()) expect(from).toBe((requestedPeriods[n]?.[1] ?? 0) + 1);
});

test('a part with more transactions than PayPal returns is read in halves, and each transaction is returned once', async () => {
  const busy = BEGIN + 30_000;
  answering = (from, to) => {
    const isBusy = from <= busy && busy <= to;
    if (isBusy && to - from > 3_600)
      return { status: 400, body: { name: 'RESULTSET_TOO_LARGE', message: 'Result set size is greater.' } };
    const info = {
      transaction_id: 'PAYOUT000001',
      transaction_event_code: 'T0400',
      transaction_status: 'S',
      transaction_initiation_date: new Date(busy * 1000).toISOString(),
      transaction_amount: { currency_code: 'USD', value: '-7.00' },
    };
    return { status: 200, body: whole(isBusy ? [{ transaction_info: info }] : []) };
  };
  expect(await listed()).toEqual(['PAYOUT000001']);
});

test('a list that is not complete yet is read later, and one without permission is a failure of the key', async () => {
  answering = () => ({ status: 200, body: { ...whole(), last_refreshed_datetime: '2026-02-28T00:00:00+0000' } });
  await expect(listed()).rejects.toBeInstanceOf(OutcomeUnknown);
  answering = () => ({ status: 403, body: { name: 'NOT_AUTHORIZED', message: 'Authorization failed.' } });
  await expect(listed()).rejects.toBeInstanceOf(CredentialsRefused);
});

test.each([
  ['T1300', 'S'],
  ['T1110', 'S'],
  ['T1501', 'S'],
  ['T0006', 'P'],
  ['T0006', 'D'],
])('authorized, pending and denied transactions are no movements: %s, %s', async (code, status) => {
  const info = {
    transaction_id: 'HELD00000001',
    transaction_event_code: code,
    transaction_status: status,
    transaction_initiation_date: '2026-03-01T10:00:00+0000',
    transaction_amount: { currency_code: 'USD', value: '7.00' },
  };
  answering = () => ({ status: 200, body: whole([{ transaction_info: info }]) });
  expect(await listed()).toEqual([]);
});

const ORDER = '5O190127TN364715T';
const CAPTURE = '3C679366HH908993F';
const usd = (value: string) => ({ currency_code: 'USD', value });
const moved = (type: 'DEBIT' | 'CREDIT', value: string, more: object = {}) => ({
  party: 'SELLER',
  type,
  amount: usd(value),
  initiated_time: '2026-03-02T10:00:00.000Z',
  reason: 'DISPUTE_SETTLEMENT',
  ...more,
});
/** The dispute of a charge of 50.00, as it is read. @param refunds its refunds */
async function disputed(more: object, refunds: object[] = []) {
  const capture = { id: CAPTURE, status: 'COMPLETED', amount: usd('50.00') };
  const payments = { captures: [capture], ...(refunds.length > 0 && { refunds }) };
  there[`/v2/checkout/orders/${ORDER}`] = { id: ORDER, purchase_units: [{ payments }] };
  there['/v1/customer/disputes'] = { items: [{ dispute_id: 'PP-D-1' }] };
  there['/v1/customer/disputes/PP-D-1'] = {
    dispute_id: 'PP-D-1',
    create_time: '2026-03-01T10:00:00.000Z',
    disputed_transactions: [{ seller_transaction_id: CAPTURE }],
    dispute_amount: usd('50.00'),
    ...more,
  };
  return (await port().readDisputes(ORDER, null))[0];
}

test.each([
  ['UNDER_REVIEW', undefined, [], 'none'],
  ['RESOLVED', 'RESOLVED_SELLER_FAVOUR', [], 'won'],
  ['RESOLVED', 'ACCEPTED', [moved('DEBIT', '50.00')], 'lost'],
  ['RESOLVED', 'RESOLVED_WITH_PAYOUT', [], 'won'],
  ['RESOLVED', 'RESOLVED_WITH_PAYOUT', [moved('DEBIT', '50.00')], 'lost'],
])('a dispute that is %s, %j, after %j is decided as %s', async (status, outcome_code, fund_movements, decision) => {
  const dispute = await disputed({
    status,
    fund_movements,
    ...(outcome_code && { dispute_outcome: { outcome_code } }),
  });
  expect(dispute).toMatchObject({ gatewayDisputeId: 'PP-D-1', decision, amountCents: 5_000 });
  expect(dispute?.movements).toHaveLength(fund_movements.length);
});

test.each(['fund_movements', 'money_movements'])(
  'in %s only the seller’s movements count, with separate fees, and two of the same time are two',
  async (name) => {
    const recipient = name === 'fund_movements' ? {} : { party: undefined, affected_party: 'SELLER' };
    const dispute = await disputed({
      status: 'UNDER_REVIEW',
      [name]: [
        moved('DEBIT', '30.00', recipient),
        moved('DEBIT', '20.00', recipient),
        moved('CREDIT', '50.00', { party: 'BUYER' }),
        moved('DEBIT', '20.00', { ...recipient, reason: 'CHARGEBACK_FEE' }),
        moved('CREDIT', '1.50', { ...recipient, reason: 'REVERSED_TRANSACTION_FEE' }),
      ],
    });
    const movements = dispute?.movements ?? [];
    expect(movements.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['withdrawn', 3_000],
      ['withdrawn', 2_000],
      ['fee', 2_000],
      ['fee', -150],
    ]);
    expect(new Set(movements.map(({ movementId }) => movementId)).size).toBe(4);
  },
);

test('a dispute of another order is refused', async () => {
  const elsewhere = [{ seller_transaction_id: '8AA831015G517922L' }];
  await expect(disputed({ status: 'UNDER_REVIEW', disputed_transactions: elsewhere })).rejects.toMatchObject({
    failureCode: 'dispute_of_another',
  });
});

const ASKED = writeMarks({ refund_id: '0198f3aa-0000-7000-8000-000000000001' });
const refund = (id: string, value: string, more: object = {}) => ({
  id,
  status: 'COMPLETED',
  amount: usd(value),
  create_time: '2026-03-02T10:00:03.000Z',
  ...more,
});
const ended = { status: 'RESOLVED', dispute_outcome: { outcome_code: 'ACCEPTED', amount_refunded: usd('20.00') } };

test.each([
  ['as much as PayPal took', [moved('DEBIT', '20.00')], [2_000]],
  [
    'with a part of PayPal’s fee',
    [moved('DEBIT', '19.30'), moved('DEBIT', '0.49', { reason: 'FEE' })],
    [2_000 - 70, 70],
  ],
])('a refund that ended a dispute is not listed as a refund too: %s', async (_, fund_movements, withdrawn) => {
  const others = [
    refund('1JU08902781691411', '20.00'),
    refund('2JU08902781691411', '20.00', { create_time: '2026-03-01T00:00:00.000Z' }),
    refund('5JU08902781691411', '20.00', { create_time: '2026-03-03T00:00:00.000Z' }),
    refund('3JU08902781691411', '5.00'),
    refund('4JU08902781691411', '1.00', { custom_id: ASKED }),
  ];
  const dispute = await disputed({ ...ended, fund_movements }, others);
  const withdrawals = dispute?.movements
    .filter(({ kind }) => kind === 'withdrawn')
    .map(({ amountCents }) => amountCents);
  expect([dispute?.decision, withdrawals]).toEqual(['lost', withdrawn]);
  const fees = dispute?.movements.filter(({ kind }) => kind === 'fee').reduce((sum, one) => sum + one.amountCents, 0);
  expect(fees).toBe(withdrawn.length > 1 ? 49 - 70 : 0);
  const refunds = await port().readRefunds(ORDER);
  expect(refunds.map(({ gatewayRefundId }) => gatewayRefundId[0])).toEqual(['2', '5', '3', '4']);
});

test('money that PayPal lists among the refunds when a dispute begins is not listed as a refund', async () => {
  const held = refund('1JU08902781691411', '20.00', { create_time: '2026-03-01T10:00:00.000Z' });
  const dispute = await disputed({ ...ended, fund_movements: [moved('DEBIT', '20.00')] }, [held]);
  expect(dispute?.movements).toMatchObject([{ kind: 'withdrawn', amountCents: 2_000 }]);
  expect(await port().readRefunds(ORDER)).toEqual([]);
});

test('a refund of the platform that ended a dispute counts as a refund alone', async () => {
  const fund_movements = [moved('DEBIT', '20.00'), moved('DEBIT', '15.00', { reason: 'CHARGEBACK_FEE' })];
  const dispute = await disputed({ ...ended, fund_movements }, [
    refund('1JU08902781691411', '20.00', { custom_id: ASKED }),
  ]);
  expect(dispute?.movements.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([['fee', 1_500]]);
  expect(await port().readRefunds(ORDER)).toMatchObject([{ amountCents: 2_000, status: 'refunded' }]);
});

test('refunds are listed unchanged when disputes cannot be read', async () => {
  await disputed(ended, [refund('1JU08902781691411', '20.00')]);
  delete there['/v1/customer/disputes'];
  answering = () => ({ status: 403, body: { name: 'NOT_AUTHORIZED', message: 'Authorization failed.' } });
  expect(await port().readRefunds(ORDER)).toMatchObject([{ amountCents: 2_000 }]);
});
