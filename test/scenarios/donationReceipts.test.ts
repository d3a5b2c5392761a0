/** The process that mails a receipt: to its end, replaced, cancelled, requested again, and after its worker was killed. */
import { once } from 'node:events';
import net from 'node:net';
import { type Relay, startRelay } from '../../activities/relay.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { processId } from '../../api/processes/id.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { apiWorld } from '../support/apiWorld.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aGift, type Gift, move, type ReceiptRow, receiptsOf } from '../support/gifts.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually, spawnPart } from '../support/platform.js';
import { until } from '../support/rudeMailServer.js';
import { aPlatformAdmin } from '../support/world.js';

const stage = apiWorld();
const { world } = stage;

let catcher: Catcher;
let foundation: Foundation;
let interrupted: Gift;
let workers: Workers | undefined;
let running: Promise<void>;
let relay: Relay;

beforeAll(async () => {
  await registerSearchAttributes();
  foundation = await aFoundation(world);
  interrupted = await killWorkerInMail();
  catcher = await startMailServer();
  workers = await createWorkers(['notify']);
  running = workers.run();
  relay = startRelay();
});
afterAll(async () => {
  workers?.shutdown();
  await running;
  await relay.stop();
  await stopMailServer(catcher);
});

/** Kills a worker while a mail server has received its mail and has not answered. @returns the gift of the mail */
async function killWorkerInMail(): Promise<Gift> {
  let isReceived = false;
  const converse = until(/^\.$/, () => {
    isReceived = true;
  });
  const server = net.createServer((socket) => converse(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const SMTP_URL = `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const worker = spawnPart('worker', { url: 'http://127.0.0.1:1' }, { SMTP_URL, WORKER_QUEUES: 'notify' });
  try {
    const gift = await aGift(world.organizationId, foundation);
    await eventually(
      async () => isReceived,
      (received) => received,
      60,
    );
    return gift;
  } finally {
    worker.kill('SIGKILL');
    if (worker.exitCode === null) await once(worker, 'exit');
    server.close();
    // The next attempt need not wait for two minutes.
    await asOwner("UPDATE mail_messages SET claimed_at = now() - interval '3 minutes' WHERE outcome IS NULL");
  }
}

const lastOf = async (gift: Gift) => (await receiptsOf(gift)).at(-1) as ReceiptRow;
const workflowOf = (receiptId: string) => `donation-receipt/${receiptId}`;
const ended = (receiptId: string, outcome: string) =>
  eventually(
    () =>
      temporal()
        .workflow.getHandle(workflowOf(receiptId))
        .describe()
        .catch(() => null),
    (seen) => seen?.status.name === outcome,
    60,
  );
const resultOf = (receiptId: string) => temporal().workflow.getHandle(workflowOf(receiptId)).result();
const moveTo = ({ donorId }: Gift, email: string) =>
  asOwner('UPDATE donors SET email = $2 WHERE id = $1', [donorId, email]);

test('a receipt is mailed when its gift is completed', async () => {
  const gift = await aGift(world.organizationId, foundation);
  const { id, number } = await lastOf(gift);
  await ended(id, 'COMPLETED');
  expect(await resultOf(id)).toBe('mailed');
  await recordHistory(workflowOf(id), 'donationReceipt-mailed');
  expect(catcher.mails.list(gift.email)).toMatchObject([{ attachments: [{ name: `receipt-${number}.pdf` }] }]);

  const resent = await stage.as(foundation.admin).post(`/api/foundation/receipts/${id}/resend/`);
  expect(resent).toMatchObject({ status: 200, body: { mail_status: 'waiting' } });
  await eventually(
    () => lastOf(gift),
    ({ mail_status }) => mail_status === 'mailed',
  );
  expect(catcher.mails.list(gift.email)).toHaveLength(2);
});

test('a receipt that is superseded while no server accepts its mail is not mailed; a cancelled one can be requested again', async () => {
  const gift = await aGift(world.organizationId, foundation, { email: 'reject-451@example.org' });
  const first = await lastOf(gift);
  await ended(first.id, 'RUNNING');
  await move(gift, 'returned', 1_000);
  await ended(first.id, 'COMPLETED');
  expect(await resultOf(first.id)).toBe('replaced');
  await recordHistory(workflowOf(first.id), 'donationReceipt-replaced');

  const second = await lastOf(gift);
  await ended(second.id, 'RUNNING');
  const admin = stage.as(await aPlatformAdmin());
  const cancelled = await admin.post(`/api/processes/${processId(workflowOf(second.id))}/cancel/`);
  expect([cancelled.status, cancelled.body.outcome]).toEqual([200, expect.stringMatching(/^cancell(ed|ing)$/)]);
  await eventually(
    () => lastOf(gift),
    ({ mail_status }) => mail_status === 'cancelled',
  );
  await eventually(
    () => temporal().workflow.getHandle(workflowOf(second.id)).describe(),
    ({ status }) => status.name !== 'RUNNING',
    60,
  );
  await recordHistory(workflowOf(second.id), 'donationReceipt-cancelled');
  await moveTo(gift, 'moved@example.org');
  await stage.as(foundation.admin).post(`/api/foundation/receipts/${second.id}/resend/`);
  await eventually(
    async () => catcher.mails.list('moved@example.org'),
    (mails) => mails.length === 1,
  );
});

test('a receipt whose worker was killed in the middle of the mail is mailed by the next worker, as the same message', async () => {
  const { id } = await lastOf(interrupted);
  await ended(id, 'COMPLETED');
  expect(await resultOf(id)).toBe('mailed');
  expect(catcher.mails.list(interrupted.email)).toMatchObject([{ message_id: `<receipt.${id}@example.org>` }]);
  expect(await asOwner('SELECT outcome FROM mail_messages WHERE email = $1', [interrupted.email])).toEqual([
    { outcome: 'sent' },
  ]);
});
