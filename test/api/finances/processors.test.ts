import { decrypt } from '../../../models/database/encryption.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aStage, expectNowhere } from './finances.support.js';

const stage = aStage();
const path = (id = stage.world.organizationId) => `/api/organizations/${id}/payment-processors/`;
const SECRETS = { secret_key: 'sk_test_a_very_secret_key', webhook_secret: 'whsec_another_very_secret' };
const processor = {
  provider: 'stripe',
  label: 'Main account',
  publishable_key: 'pk_test_1',
  account_reference: 'acct_1',
  ...SECRETS,
};

const stored = async (id: string) =>
  (await asOwner('SELECT * FROM org_payment_processors WHERE id = $1', [id]))[0] as Record<string, string>;
const opened = async (id: string, column: string) =>
  decrypt((await stored(id))[column] as string, { table: 'org_payment_processors', column, rowId: id });

async function connected(): Promise<string> {
  await asOwner(
    'UPDATE org_payment_processors SET disabled_at = coalesce(disabled_at, now()) WHERE organization_id = $1',
    [stage.world.organizationId],
  );
  return (await stage.admin.post(path(), processor)).body.id;
}

test('processors need a signed-in organization admin', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.post(path(), processor)).toMatchObject({ status: 403 });
});

test('a processor is connected, and its secrets are sealed and never seen again', async () => {
  const { body, status } = await stage.admin.post(path(), processor);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    provider: 'stripe',
    is_active: true,
    secret_key_last4: '_key',
    webhook_secret_last4: 'cret',
    accepts_previous_webhook_secret: false,
    webhook_url: expect.stringContaining(`/api/finances/webhooks/processor/?processor=${body.id}`),
  });
  expect(await opened(body.id, 'secret_key_encrypted')).toBe(SECRETS.secret_key);
  const everything = JSON.stringify([
    body,
    await stage.admin.get(path()),
    await stage.admin.get(`${path()}${body.id}/`),
    await stored(body.id),
    await asOwner('SELECT * FROM audit_log WHERE subject_id = $1', [body.id]),
  ]);
  for (const secret of Object.values(SECRETS)) expect(everything).not.toContain(secret);
  expect(JSON.stringify(await stage.admin.get(path()))).not.toContain('encrypted');
});

test('an organization has one active processor, also when two are connected at once', async () => {
  await stage.admin.post(`${path()}${await connected()}/disable/`);
  const answers = await Promise.all([stage.admin.post(path(), processor), stage.admin.post(path(), processor)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('processor_already_active');
});

test('a new webhook secret leaves the one before it valid', async () => {
  const id = await connected();
  const answer = await stage.admin.post(`${path()}${id}/rotate/`, { webhook_secret: 'whsec_the_next_secret' });
  expect(answer).toMatchObject({ status: 200, body: { accepts_previous_webhook_secret: true, version: 2 } });
  expect(await opened(id, 'webhook_secret_encrypted')).toBe('whsec_the_next_secret');
  expect(await opened(id, 'previous_webhook_secret_encrypted')).toBe(SECRETS.webhook_secret);

  await stage.admin.post(`${path()}${id}/rotate/`, {
    webhook_secret: 'whsec_the_next_secret',
    secret_key: 'sk_test_the_next_key',
  });
  expect(await opened(id, 'previous_webhook_secret_encrypted')).toBe(SECRETS.webhook_secret);
  expect(await opened(id, 'secret_key_encrypted')).toBe('sk_test_the_next_key');
});

test('rotation knows what somebody else changed, and refuses nothing at all', async () => {
  const id = await connected();
  expect(
    await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key', version: 9 }),
  ).toMatchObject({ status: 409 });
  expect(await stage.admin.post(`${path()}${id}/rotate/`, {})).toMatchObject({
    status: 400,
    body: { errors: { secret_key: [expect.any(String)] } },
  });
});

test('a disabled processor stays disabled, and its secrets as they are', async () => {
  const id = await connected();
  const first = await stage.admin.post(`${path()}${id}/disable/`);
  expect(first).toMatchObject({ status: 200, body: { is_active: false } });
  expect((await stage.admin.post(`${path()}${id}/disable/`)).body).toEqual(first.body);
  const answer = await stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key' });
  expect(answer).toMatchObject({ status: 409, body: { code: 'processor_disabled' } });
});

test('providers that are not implemented are refused as such', async () => {
  expect(await stage.admin.post(path(), { ...processor, provider: 'square' })).toMatchObject({
    status: 422,
    body: { code: 'provider_not_implemented' },
  });
});

test("another organization's processors are not there", async () => {
  const foreign = await stage.as(stage.other.admin).post(path(stage.other.organizationId), processor);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(foreign.body.id, (id) => stage.admin.get(`${path()}${id}/`));
  await expectNowhere(foreign.body.id, (id) =>
    stage.admin.post(`${path()}${id}/rotate/`, { secret_key: 'sk_test_the_next_key' }),
  );
  await expectNowhere(foreign.body.id, (id) => stage.admin.post(`${path()}${id}/disable/`));
});

test.each([
  ['provider', 'cash'],
  ['label', ' '],
  ['secret_key', 'short'],
  ['secret_key', 'sk_test with spaces in it'],
  ['webhook_secret', ''],
  ['publishable_key', 'x'.repeat(301)],
  ['account', 'acct_1'],
])('%s: %j is refused by name, and no secret comes back', async (field, value) => {
  const answer = await stage.admin.post(path(), { ...processor, [field]: value });
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(answer.body)).not.toContain(secret);
});

test('the list is one statement inside the request', async () => {
  expect(await countStatements(() => stage.admin.get(path()))).toBe(3);
});
