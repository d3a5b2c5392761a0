import { config } from '../../config.js';
import { CredentialsRefused, type Movement, OutcomeUnknown, type PaymentPort } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { closeAll, type Instance, startInstance } from '../development/standins/payments/payments.support.js';
import { opened } from './payments/opened.js';

let standin: Instance;
beforeEach(async () => {
  standin = await startInstance();
  config.STRIPE_API_URL = standin.url;
});
afterEach(closeAll);

const port = (key = 'sk_test_one') => paymentPort({ provider: 'stripe', credentials: { secret_key: key } });
const A_DAY = 86_400_000;
const around = (days = 0) => ({
  from: new Date(Date.now() - A_DAY + days * A_DAY),
  to: new Date(Date.now() + A_DAY + days * A_DAY),
});
const page = (by: PaymentPort, after: string | null = null, period = around()) => by.listMovements(period, after);

async function captured(by: PaymentPort, n: number): Promise<string> {
  const reference = { invoice_id: `invoice-${n}` };
  const intentId = await opened(by, {
    amountCents: 1_000 + n,
    currency: 'usd',
    reference,
    idempotencyKey: `open:${n}`,
  });
  await by.confirmCharge({ intentId, paymentMethod: 'pm_card_visa', idempotencyKey: `confirm:${n}` });
  return intentId;
}

test('the captures and refunds of a charge are movements, with the fee and the reference', async () => {
  const by = port();
  const intentId = await captured(by, 0);
  const reference = { invoice_id: 'invoice-0' };
  const refund = { intentId, refundId: 'ours', amountCents: 400, reference, idempotencyKey: 'refund:ours' };
  const { gatewayRefundId } = await by.refundCharge(refund);
  const common = { currency: 'usd', intentId, at: expect.any(Date), movementId: expect.stringMatching(/^txn_/) };
  expect(await page(by)).toEqual({
    movements: [
      {
        ...common,
        kind: 'refunded',
        amountCents: -400,
        feeCents: 0,
        gatewayRefundId,
        reference: { ...reference, refund_id: 'ours' },
      },
      { ...common, kind: 'captured', amountCents: 1_000, feeCents: 59, gatewayRefundId: null, reference },
    ],
    next: null,
  });
});

test('movements over all pages are returned once each, also while a charge is made, and a cursor keeps its start', async () => {
  const by = port();
  const period = around();
  for (let n = 0; n < 103; n += 1) await captured(by, n);
  const first = await page(by, null, period);
  expect(first?.movements).toHaveLength(100);
  await captured(by, 103);
  const cursor = first?.next ?? null;
  const second = await page(by, cursor, period);
  expect(second).toMatchObject({ next: null });
  expect(await page(by, cursor, period)).toEqual(second);
  const all = [...(first?.movements ?? []), ...(second?.movements ?? [])].map(({ movementId }: Movement) => movementId);
  expect([all.length, new Set(all).size]).toEqual([103, 103]);
});

test('movements of another account or another period are not returned', async () => {
  await captured(port(), 0);
  expect(await page(port('sk_test_two'))).toEqual({ movements: [], next: null });
  expect(await page(port(), null, around(-3))).toEqual({ movements: [], next: null });
});

test('movements have an unknown outcome during an outage, and cannot be read with a revoked key', async () => {
  await standin.control('POST', '/faults', { kind: 'drop_before_capture', operation: 'balance', times: 5 });
  await expect(page(port())).rejects.toBeInstanceOf(OutcomeUnknown);
  await standin.control('DELETE', '/faults');
  await standin.control('POST', '/keys', { key: 'sk_test_one', revoked: true });
  await expect(page(port())).rejects.toBeInstanceOf(CredentialsRefused);
});
