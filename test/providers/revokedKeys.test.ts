/** Revoked keys and replaced accounts: pending work still ends, by API requests alone. */
import type { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let processor: string;
let admin: Client;
let officer: Client;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
  [admin, officer] = [platform.client(world.admin), platform.client(world.officer)];
});

const processors = () => `/api/organizations/${world.organizationId}/payment-processors/`;
const rotate = (body: object, id = processor) => admin.post(`${processors()}${id}/rotate/`, body);
const read = async (id: string) => (await officer.get(`/api/billing/remittances/${id}/`)).body;
const pay = (id: string) =>
  officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' }).catch(() => undefined);

async function aRemittance(): Promise<string> {
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  return (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body.id;
}

/** @returns a payment with an unknown outcome and no event, whose key is revoked and whose processor is disabled */
async function aStrandedPayment(fault: 'drop_before_capture' | 'hold_after_capture') {
  const remittance = await aRemittance();
  await platform.fault({ kind: 'delay_events', delay_ms: 3_600_000, remittance_id: remittance });
  // The SDK itself retries a closed connection once.
  await platform.fault({ kind: fault, remittance_id: remittance, times: fault === 'drop_before_capture' ? 2 : 1 });
  // The charge is not looked up before its key is revoked.
  await platform.fault({ kind: 'hold', operation: 'retrieve', remittance_id: remittance });
  const paying = pay(remittance);
  await platform.held();
  await platform.changeKey({ key: accountKeyOf(processor), revoked: true });
  const { results } = await eventually(
    async () => (await admin.get(`/api/processes/?subject=${remittance}&kind=remittance_payment`)).body,
    ({ count }) => count > 0,
  );
  const process = `/api/processes/${results[0].id}/`;
  await eventually(
    async () => (await admin.get(process)).body,
    ({ last_failure }) => last_failure?.code === 'provider_refused_key',
  );
  await platform.clearFaults();
  expect(await admin.post(`${processors()}${processor}/disable/`)).toMatchObject({
    status: 200,
    body: { is_active: false, has_work_under_way: true },
  });
  return { remittance, process, paying };
}

test.each(['drop_before_capture', 'hold_after_capture'] as const)(
  'a payment of a revoked key (%s) ends once its disabled processor has a new key of the same account',
  async (fault) => {
    const { remittance, process, paying } = await aStrandedPayment(fault);
    expect(await read(remittance)).toMatchObject({ status: 'processing' });
    expect(await admin.post(`${process}cancel/`)).toMatchObject({
      status: 409,
      body: { code: 'money_may_have_moved' },
    });
    expect((await admin.post(`${process}retry/`)).body).toMatchObject({ outcome: 'attempted_and_failed' });

    expect(await rotate({ secret_key: 'sk_test_of_another_account' })).toMatchObject({
      status: 409,
      body: { code: 'processor_other_account' },
    });
    await platform.changeKey({
      key: `sk_test_new_${world.slug.replaceAll('-', '_')}`,
      same_account_as: accountKeyOf(processor),
    });
    expect(await rotate({ secret_key: `sk_test_new_${world.slug.replaceAll('-', '_')}` })).toMatchObject({
      status: 200,
    });
    await admin.post(`${process}retry/`);
    await eventually(
      () => read(remittance),
      ({ status }) => status === 'settled',
    );
    await paying;
    expect(await platform.moved(remittance)).toMatchObject([{ kind: 'capture', amount_cents: 10_000 }]);
    expect(await rotate({ secret_key: 'sk_test_of_another_account' })).toMatchObject({
      body: { code: 'processor_other_account' },
    });
  },
);

test('a payment whose key is revoked before its charge is opened takes nothing, and leaves a draft', async () => {
  const remittance = await aRemittance();
  await platform.changeKey({ key: accountKeyOf(processor), revoked: true });
  await pay(remittance);
  expect(
    await eventually(
      () => read(remittance),
      ({ status }) => status === 'draft',
    ),
  ).toMatchObject({ settled_at: null });
  expect(await platform.moved(remittance)).toEqual([]);
});

test('each payment keeps its own processor when a new one is connected during it', async () => {
  const { remittance, process, paying } = await aStrandedPayment('hold_after_capture');
  const connected = await admin.post(processors(), {
    provider: 'stripe',
    label: 'New account',
    secret_key: `sk_test_next_${world.slug.replaceAll('-', '_')}`,
    webhook_secret: 'whsec_of_the_new_account',
  });
  expect(connected).toMatchObject({ status: 201, body: { is_active: true } });
  const other = await aRemittance();
  await pay(other);
  expect(await read(other)).toMatchObject({ status: 'settled' });

  const revived = `sk_test_revived_${world.slug.replaceAll('-', '_')}`;
  await platform.changeKey({ key: revived, same_account_as: accountKeyOf(processor) });
  expect(await rotate({ secret_key: revived })).toMatchObject({ status: 200, body: { is_active: false } });
  await admin.post(`${process}retry/`);
  await eventually(
    () => read(remittance),
    ({ status }) => status === 'settled',
  );
  await paying;
  const used = await asOwner(
    'SELECT remittance_id, processor_id FROM processor_captures WHERE organization_id = $1 ORDER BY id',
    [world.organizationId],
  );
  expect(used).toEqual(
    expect.arrayContaining([
      { remittance_id: remittance, processor_id: processor },
      { remittance_id: other, processor_id: connected.body.id },
    ]),
  );
});
