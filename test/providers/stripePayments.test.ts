/** Payments at Stripe whose requests or answers are lost: each is charged once. */
import type { Client } from '../support/api.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let officer: Client;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
  await aProcessor(world);
  officer = platform.client(world.officer);
});

async function aDraft(): Promise<string> {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  return (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body.id;
}

const pay = (id: string) => officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });
const read = async (id: string) => (await officer.get(`/api/billing/remittances/${id}/`)).body;

test('a request that never reached the gateway is sent again, and charges once', async () => {
  const id = await aDraft();
  await platform.fault({ kind: 'drop_before_capture', times: 2, remittance_id: id });
  expect([200, 409]).toContain((await pay(id)).status);
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
  );
  expect(await platform.moved(id)).toHaveLength(1);
});

test('an error of the gateway after capture is not a decline', async () => {
  const id = await aDraft();
  await platform.fault({ kind: 'error_after_capture', remittance_id: id });
  expect([200, 409]).toContain((await pay(id)).status);
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
  );
  expect(await platform.moved(id)).toHaveLength(1);
});

test('an error that the gateway stores while the charge is opened does not lock the invoices', async () => {
  const id = await aDraft();
  await platform.fault({ kind: 'error_after_capture', operation: 'create', remittance_id: id });
  expect([200, 409]).toContain((await pay(id)).status);
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
  );
  expect(await platform.moved(id)).toHaveLength(1);
});

test('a payment at a hanging gateway is answered as in progress, and its process continues until the outcome is known', async () => {
  const id = await aDraft();
  await platform.fault({ kind: 'hang', times: 3, remittance_id: id });
  expect(await pay(id)).toMatchObject({ status: 409, body: { code: 'remittance_in_progress' } });
  await platform.clearFaults();
  await eventually(
    () => read(id),
    ({ status }) => status === 'settled',
    30,
  );
  expect(await platform.moved(id)).toHaveLength(1);
});
