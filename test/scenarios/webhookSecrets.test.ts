/** What a webhook's secret opens: as long as it is in use, for the processor that it belongs to. */
import { randomUUID } from 'node:crypto';
import type { Client } from '../support/api.js';
import { paidIntent, refundedCharge, sendEvent } from '../support/events.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually, type Platform, startPlatform, WEBHOOK_SECRET } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let processor: string;
let admin: Client;

beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
  admin = platform.client(world.admin);
});
afterEach(expectSoundLedger);
afterAll(() => platform.close(), 60_000);

const invoice = (of = world) =>
  anInvoice(of, { chapterId: of.chapterId, membershipId: of.member.membershipId, cents: 5_000 });
const marks = (invoice_id: string, of = processor) => ({
  organization_id: world.organizationId,
  processor_id: of,
  invoice_id,
});
const own = (path: string) => `/api/organizations/${world.organizationId}/payment-processors/${processor}/${path}`;
const statusOf = async (id: string) =>
  (await asOwner<{ status: string }>('SELECT status FROM chapter_invoices WHERE id = $1', [id]))[0]?.status;
const becomes = (id: string, status: string) =>
  eventually(
    () => statusOf(id),
    (now) => now === status,
  );
const captures = (organizationId = world.organizationId) =>
  asOwner('SELECT intent_id, disposition FROM processor_captures WHERE organization_id = $1 ORDER BY id', [
    organizationId,
  ]);
const refused = { status: 400, body: { code: 'webhook_refused' } };

test('a replaced secret verifies until its date, and one that was replaced twice no more', async () => {
  await admin.post(own('rotate/'), { webhook_secret: 'whsec_the_second_secret' });
  const first = await invoice();
  const send = (id: string, secret: string) =>
    sendEvent(platform, 'payment_intent.succeeded', { to: processor, secret, object: paidIntent(5_000, marks(id)) });
  expect(await send(first, WEBHOOK_SECRET)).toMatchObject({ status: 200 });
  await becomes(first, 'paid');

  await admin.post(own('rotate/'), { webhook_secret: 'whsec_the_third_secret' });
  expect(await send(await invoice(), WEBHOOK_SECRET)).toMatchObject(refused);
  expect(await send(await invoice(), 'whsec_the_second_secret')).toMatchObject({ status: 200 });
  await asOwner('UPDATE org_payment_processors SET previous_webhook_secret_expires_at = now() WHERE id = $1', [
    processor,
  ]);
  expect(await send(await invoice(), 'whsec_the_second_secret')).toMatchObject(refused);
  expect(await send(await invoice(), 'whsec_the_third_secret')).toMatchObject({ status: 200 });
});

test('a leaked secret that is retired verifies nothing any more', async () => {
  await admin.post(own('rotate/'), { webhook_secret: 'whsec_the_second_secret', retire_now: true });
  const object = paidIntent(5_000, marks(await invoice()));
  expect(await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object })).toMatchObject(refused);
});

test('a disabled processor forges nothing, and hears of what it took', async () => {
  const paid = paidIntent(5_000, marks(await invoice()));
  await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: paid });
  await becomes(paid.metadata['invoice_id'] as string, 'paid');
  await admin.post(own('rotate/'), { webhook_secret: 'whsec_the_second_secret' });
  await admin.post(own('disable/'));

  const target = await invoice();
  for (const secret of [WEBHOOK_SECRET, 'whsec_the_second_secret']) {
    const forge = (type: string, object: Record<string, unknown>) =>
      sendEvent(platform, type, { to: processor, secret, object });
    expect(await forge('payment_intent.succeeded', paidIntent(5_000, marks(target)))).toEqual(
      await sendEvent(platform, 'payment_intent.succeeded', { to: processor, secret: 'whsec_wrong', object: paid }),
    );
    expect(await forge('charge.refunded', refundedCharge(paidIntent(5_000, marks(target))))).toMatchObject(refused);
    // A charge that is known pays nothing else.
    await forge('payment_intent.succeeded', paidIntent(5_000, marks(target), paid.id));
  }
  const sent = { to: processor, secret: 'whsec_the_second_secret', object: refundedCharge(paid) };
  expect(await sendEvent(platform, 'charge.refunded', sent)).toMatchObject({ status: 200 });
  await becomes(paid.metadata['invoice_id'] as string, 'open');
  expect(await statusOf(target)).toBe('open');
  expect(await captures()).toHaveLength(1);
});

test('a page that was open when its processor was disabled is heard of, and pays its own invoice alone', async () => {
  const [mine, another] = [await invoice(), await invoice()];
  const { attempt } = (await platform.client(world.member).post(`/api/invoices/${mine}/pay/`)).body;
  await admin.post(own('disable/'));
  const send = (invoiceId: string) => {
    const object = paidIntent(5_000, { ...marks(invoiceId), attempt_id: attempt });
    return sendEvent(platform, 'payment_intent.succeeded', { to: processor, object });
  };
  expect(await send(another)).toMatchObject(refused);
  expect(await send(mine)).toMatchObject({ status: 200 });
  await becomes(mine, 'paid');
  expect(await statusOf(another)).toBe('open');
});

test('of two organizations on one account, each acknowledges the charges of the other and keeps its own', async () => {
  const neighbour = await aWorld({ members: 1 });
  const theirs = await aProcessor(neighbour);
  const mine = await invoice();
  const object = paidIntent(5_000, marks(mine));
  const their = paidIntent(5_000, { ...marks(randomUUID(), theirs), organization_id: neighbour.organizationId });
  for (const to of [processor, theirs]) {
    expect(await sendEvent(platform, 'payment_intent.succeeded', { to, object })).toMatchObject({ status: 200 });
  }
  expect(await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: their })).toMatchObject({
    status: 200,
  });
  expect(await sendEvent(platform, 'charge.refunded', { to: processor, object: refundedCharge(their) })).toMatchObject({
    status: 200,
  });
  await becomes(mine, 'paid');
  expect(await captures(neighbour.organizationId)).toEqual([]);
  expect(await captures()).toEqual([{ intent_id: object.id, disposition: 'recorded' }]);
});

test('an account that is connected anew hears of what its earlier connection took', async () => {
  const key = accountKeyOf(processor);
  const kept = `sk_test_kept_${world.slug.replaceAll('-', '_')}`;
  await platform.changeKey({ key: kept, same_account_as: key });
  await admin.post(own('rotate/'), { secret_key: kept });
  const paid = paidIntent(5_000, marks(await invoice()));
  await sendEvent(platform, 'payment_intent.succeeded', { to: processor, object: paid });
  await becomes(paid.metadata['invoice_id'] as string, 'paid');
  await admin.post(own('disable/'));
  const secrets = { secret_key: key, webhook_secret: 'whsec_of_the_new_endpoint' };
  const anew = { provider: 'stripe', label: 'Connected anew', ...secrets };
  const { body } = await admin.post(`/api/organizations/${world.organizationId}/payment-processors/`, anew);

  const sent = { to: body.id, secret: 'whsec_of_the_new_endpoint', object: refundedCharge(paid) };
  expect(await sendEvent(platform, 'charge.refunded', sent)).toMatchObject({ status: 200 });
  await becomes(paid.metadata['invoice_id'] as string, 'open');
});
