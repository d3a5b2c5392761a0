import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { aProcessor, eventually, type Platform, spawnWorker, startPlatform } from '../support/platform.js';
import { expectSoundLedger } from '../support/ledger.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
const workers: ChildProcess[] = [];

const startWorker = (): ChildProcess => {
  const worker = spawnWorker(platform.gateway);
  workers.push(worker);
  return worker;
};

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 3 });
  await aProcessor(world);
}, 60_000);

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await platform.close();
}, 60_000);

test('a worker that is killed between capture and settlement charges once, and the next one settles', async () => {
  const officer = platform.client(world.officer);
  const invoices = await Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId })),
  );
  const { body } = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: 10_000 })),
  });
  const doomed = startWorker();
  await platform.fault({ kind: 'hold_after_capture', remittance_id: body.id });
  const paying = officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
  await eventually(
    () => platform.moved(body.id),
    (ledger) => ledger.length === 1,
  );
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  await platform.clearFaults();

  expect(await paying).toMatchObject({ status: 409, body: { code: 'remittance_in_progress' } });
  startWorker();
  const settled = await eventually(
    async () => (await officer.get(`/api/billing/remittances/${body.id}/`)).body,
    ({ status }) => status === 'settled',
    60,
  );
  expect(settled.allocations.every(({ payment }: { payment: string | null }) => payment !== null)).toBe(true);
  expect(await platform.moved(body.id)).toHaveLength(1);
  await expectSoundLedger();
}, 120_000);
