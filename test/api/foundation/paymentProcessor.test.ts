import { config } from '../../../config.js';
import { type Standin, startStandin } from '../../../development/standins/payments/server.js';
import { apiWorld } from '../../support/apiWorld.js';
import { aMailbox } from '../../support/accountMail.js';
import { paidIntent, refundedCharge, sendEvent } from '../../support/events.js';
import { aFoundation, aFoundationPerson, type Foundation } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { aProcessor } from '../../support/platform.js';
import { aWorld, signIn, type World } from '../../support/world.js';

const stage = apiWorld();
const { as } = stage;
const mailbox = aMailbox();
const PROCESSOR = '/api/foundation/payment-processor/';

let gateway: Standin;
beforeAll(async () => {
  gateway = await startStandin({ port: 0, controlPort: 0 });
  config.STRIPE_API_URL = gateway.url;
});
afterAll(() => gateway.close());

let counter = 0;
const account = () => {
  counter += 1;
  const secrets = { secret_key: `sk_test_gift_account_${counter}`, webhook_secret: `whsec_of_gift_account_${counter}` };
  return { provider: 'stripe', label: `Gifts ${counter}`, publishable_key: 'pk_test_1', ...secrets };
};
const processorsOf = ({ organizationId }: World) =>
  asOwner<{ id: string; is_active: boolean }>(
    `SELECT id, disabled_at IS NULL AS is_active FROM org_payment_processors
      WHERE organization_id = $1 AND purpose = 'foundation' ORDER BY id`,
    [organizationId],
  );

let world: World;
let foundation: Foundation;
beforeEach(async () => {
  world = await aWorld();
  foundation = await aFoundation(world);
});
const admin = () => as(foundation.admin);

test('the account is shown without its secrets', async () => {
  const answer = await admin().get(PROCESSOR);
  expect(answer).toMatchObject({
    status: 200,
    body: { id: foundation.processorId, is_active: true, fee_pass_through: true, provider: 'stripe' },
  });
  expect(JSON.stringify(answer.body)).not.toContain(foundation.secretKey);
});

test('PUT connects an account, another PUT replaces it, and the other admins of the foundation are told', async () => {
  const second = await aFoundationPerson(world, foundation.foundationId, 'admin');
  await admin().delete(PROCESSOR);
  const first = account();
  const connected = await admin().put(PROCESSOR, { ...first, fee_pass_through: true });
  expect(connected).toMatchObject({ status: 201, body: { label: first.label, fee_pass_through: true } });
  const next = account();
  const replaced = await admin().put(PROCESSOR, next);
  expect(replaced).toMatchObject({ status: 200, body: { label: next.label, fee_pass_through: true, is_active: true } });
  expect((await processorsOf(world)).filter(({ is_active }) => is_active)).toEqual([
    { id: replaced.body.id, is_active: true },
  ]);
  expect((await admin().get(PROCESSOR)).body.id).toBe(replaced.body.id);
  const subjects = (await mailbox.to(second.email)).map(({ subject }) => subject);
  expect(subjects).toEqual([
    'A payment processor was disabled',
    'A payment processor was connected',
    'A payment processor was disabled',
    'A payment processor was connected',
  ]);
  for (const { email } of [world.admin, foundation.admin, foundation.editor])
    expect(await mailbox.to(email)).toEqual([]);
  for (const secret of [first.secret_key, next.webhook_secret])
    expect(JSON.stringify([replaced.body, await asOwner('SELECT * FROM audit_log')])).not.toContain(secret);
});

test('two people who connect an account at once leave one active', async () => {
  const answers = await Promise.all([admin().put(PROCESSOR, account()), admin().put(PROCESSOR, account())]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await processorsOf(world)).filter(({ is_active }) => is_active)).toHaveLength(1);
});

test('whether donors may cover the fee is changed alone', async () => {
  expect((await admin().patch(PROCESSOR, { fee_pass_through: false })).body).toMatchObject({
    id: foundation.processorId,
    fee_pass_through: false,
  });
  expect(await admin().patch(PROCESSOR, { label: 'Other' })).toMatchObject({
    status: 400,
    body: { errors: { label: [expect.any(String)] } },
  });
});

test('a removed account takes no gifts, and its secrets can still be replaced', async () => {
  expect((await admin().delete(PROCESSOR)).status).toBe(204);
  for (const answer of [
    await admin().get(PROCESSOR),
    await admin().delete(PROCESSOR),
    await admin().patch(PROCESSOR, { fee_pass_through: true }),
  ])
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await admin().post(`${PROCESSOR}rotate/`, { webhook_secret: 'whsec_after_the_removal' })).toMatchObject({
    status: 200,
    body: { id: foundation.processorId, is_active: false, fee_pass_through: false },
  });
});

test('a new key must belong to the same account, and the credentials can be verified', async () => {
  const connected = account();
  await admin().put(PROCESSOR, connected);
  expect(await admin().post(`${PROCESSOR}verify/`)).toMatchObject({
    status: 200,
    body: { valid: true, problem: null },
  });
  expect(await admin().post(`${PROCESSOR}rotate/`, { secret_key: 'sk_test_of_another_account' })).toMatchObject({
    status: 409,
    body: { code: 'processor_other_account' },
  });
  const order = { key: 'sk_test_next_key_of_gifts', same_account_as: connected.secret_key };
  await fetch(`${gateway.controlUrl}/keys`, { method: 'POST', body: JSON.stringify(order) });
  const rotated = await admin().post(`${PROCESSOR}rotate/`, { secret_key: order.key, version: 1 });
  expect(rotated).toMatchObject({ status: 200, body: { secret_key_last4: 'ifts', fee_pass_through: true } });
  expect(
    (await admin().post(`${PROCESSOR}rotate/`, { webhook_secret: 'whsec_stale_secret', version: 1 })).body.code,
  ).toBe('stale_version');
});

test('a webhook secret of another organization is refused, and nothing changes', async () => {
  const taken = account();
  await admin().put(PROCESSOR, taken);
  const elsewhere = await aFoundation(await aWorld());
  expect(
    await as(elsewhere.admin).put(PROCESSOR, { ...account(), webhook_secret: taken.webhook_secret }),
  ).toMatchObject({
    status: 409,
    body: { code: 'webhook_secret_in_use' },
  });
  expect((await as(elsewhere.admin).get(PROCESSOR)).body).toMatchObject({ id: elsewhere.processorId, is_active: true });
});

test('changes need a recent sign-in', async () => {
  const token = await signIn(foundation.admin.userId, world.organizationId);
  await asOwner(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [
    foundation.admin.userId,
  ]);
  const stale = as({ token });
  for (const answer of [
    await stale.put(PROCESSOR, account()),
    await stale.patch(PROCESSOR, { fee_pass_through: false }),
    await stale.post(`${PROCESSOR}rotate/`, { webhook_secret: 'whsec_the_next_secret' }),
    await stale.delete(PROCESSOR),
  ])
    expect(answer).toMatchObject({ status: 403, body: { code: 'step_up_required' } });
  expect((await stale.get(PROCESSOR)).status).toBe(200);
});

test('an event of the account names the foundation, and one of the account for dues does not', async () => {
  const dues = await aProcessor(world);
  for (const to of [foundation.processorId, dues]) {
    const object = refundedCharge(paidIntent(5000, { processor_id: to }));
    expect((await sendEvent(stage, 'charge.refunded', { to, object })).status).toBe(200);
  }
  const stored = await asOwner('SELECT processor_id, foundation_id FROM webhook_events WHERE organization_id = $1', [
    world.organizationId,
  ]);
  expect(stored).toEqual(
    expect.arrayContaining([
      { processor_id: foundation.processorId, foundation_id: foundation.foundationId },
      { processor_id: dues, foundation_id: null },
    ]),
  );
});

test('dues and gifts have separate accounts: the screens of dues do not show the one for gifts', async () => {
  const treasurer = as(world.admin);
  const base = `/api/organizations/${world.organizationId}/payment-processors/`;
  expect((await treasurer.get(base)).body.results).toEqual([]);
  const dues = await aProcessor(world);
  expect((await treasurer.get(base)).body.results.map(({ id }: { id: string }) => id)).toEqual([dues]);
  const row = `${base}${foundation.processorId}/`;
  const unknown = `${base}${foundation.fundId}/`;
  for (const [method, end, body] of [
    ['GET', ''],
    ['POST', 'verify/'],
    ['POST', 'disable/'],
    ['POST', 'rotate/', { webhook_secret: 'whsec_the_next_secret' }],
  ] as const) {
    const answer = await treasurer.send(method, row + end, body);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual((await treasurer.send(method, unknown + end, body)).body);
  }
  expect((await admin().get(PROCESSOR)).body).toMatchObject({ id: foundation.processorId, is_active: true });
});
