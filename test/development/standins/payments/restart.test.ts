import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { closeAll, payment, startInstance, startReceiver, until } from './payments.support.js';

let dataDir: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'standin-'));
});
afterEach(async () => {
  await closeAll();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const journal = (): string => path.join(dataDir, 'standin.journal');

test('objects, the ledger and idempotency keys survive a restart', async () => {
  const before = await startInstance({ dataDir });
  const intent = await before.stripe().paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  await before.stripe().refunds.create({ payment_intent: intent.id, amount: 500 });
  await before.close();

  const after = await startInstance({ dataDir });
  const replayed = await after.stripe().paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  expect(replayed.id).toBe(intent.id);
  expect(replayed.lastResponse.headers['idempotent-replayed']).toBe('true');
  expect((await after.stripe().charges.list()).data).toMatchObject([{ amount_refunded: 500 }]);
  expect((await after.control('GET', '/ledger')).body).toMatchObject([
    { kind: 'capture', amount_cents: 2500, idempotency_key: 'k1' },
    { kind: 'refund', amount_cents: 500 },
  ]);
});

test('a capture is written to disk before it is answered', async () => {
  const standin = await startInstance({ dataDir });
  const { id } = await standin.stripe().paymentIntents.create(payment('1'));
  const lines = fs.readFileSync(journal(), 'utf8').trim().split('\n');
  expect(lines.some((line) => line.includes('"ledger"') && line.includes(id))).toBe(true);
});

test('a truncated last line is removed without losing earlier ones', async () => {
  const before = await startInstance({ dataDir });
  const { id } = await before.stripe().paymentIntents.create(payment('1'));
  await before.close();
  fs.appendFileSync(journal(), '[["payment_intent","pi_torn",{"acc');

  const middle = await startInstance({ dataDir });
  await middle.stripe().paymentIntents.create(payment('2'));
  await middle.close();
  const after = await startInstance({ dataDir });
  expect((await after.stripe().paymentIntents.retrieve(id)).status).toBe('succeeded');
  expect((await after.stripe().paymentIntents.list()).data).toHaveLength(2);
});

test('undelivered events are delivered after a restart', async () => {
  const before = await startInstance({ dataDir, webhook: { url: 'http://127.0.0.1:9/nobody', secret: 'whsec_1' } });
  await before.stripe().paymentIntents.create(payment('1'));
  await until(async () => {
    const { body } = await before.control('GET', '/deliveries');
    return (body as { attempts: number }[]).every(({ attempts }) => attempts > 0);
  });
  await before.close();

  const receiver = await startReceiver();
  const after = await startInstance({ dataDir, webhook: { url: receiver.url, secret: 'whsec_1' } });
  await until(() => receiver.received.length === 3);
  await until(async () => (await after.control('GET', '/deliveries?status=delivered')).body['length'] === 3);
});

test('an idempotency key that was in flight at the stop is free after the restart', async () => {
  const before = await startInstance({ dataDir });
  await before.control('POST', '/faults', { kind: 'hold', times: 2 });
  const lost = before
    .stripe()
    .paymentIntents.create(payment('1'), { idempotencyKey: 'k1' })
    .catch((error: Error) => error);
  await until(async () => (await before.control('GET', '/faults')).body['waiting'] === 1);
  await before.close();
  expect(await lost).toBeInstanceOf(Error);

  const after = await startInstance({ dataDir });
  expect((await after.control('GET', '/ledger')).body).toEqual([]);
  const intent = await after.stripe().paymentIntents.create(payment('1'), { idempotencyKey: 'k1' });
  expect(intent.status).toBe('succeeded');
});

test('a long journal is compacted at start without losing data', async () => {
  const before = await startInstance({ dataDir });
  const { paymentIntents } = before.stripe();
  const { id } = await paymentIntents.create(payment('1'));
  for (let count = 0; count < 600; count += 1)
    await paymentIntents.update(id, { metadata: { count } }, { idempotencyKey: `k${count % 2}-${count}` });
  await before.close();
  // A day later the keys have expired.
  const now = Date.now() + 25 * 3_600_000;
  const size = fs.statSync(journal()).size;
  const after = await startInstance({ dataDir, now: () => now });
  expect(fs.statSync(journal()).size).toBeLessThan(size / 10);
  expect((await after.stripe().paymentIntents.retrieve(id)).metadata).toMatchObject({
    remittance_id: '1',
    count: '599',
  });
});
