import { randomUUID } from 'node:crypto';
import { rotateSecrets } from '../../../bin/rotation/rotateSecrets.js';
import { config } from '../../../config.js';
import { decrypt, encrypt } from '../../../models/database/encryption.js';
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';

let person: Person;
let client: Client;

const { api, world } = apiWorld();
beforeEach(async () => {
  person = await aMember(world.organizationId, world.chapterId);
  client = as(person);
});

const as = ({ token }: Person) => new Client(api.url, { token });

async function anAccount(userId: string): Promise<string> {
  const rowId = randomUUID();
  const secret = encrypt('token', { table: 'social_accounts', column: 'access_token_encrypted', rowId });
  await asOwner(
    `INSERT INTO social_accounts (id, user_id, provider, subject, name, email, access_token_encrypted)
     VALUES ($1, $2, 'linkedin', $3, 'Robin Vale', 'robin@network.example', $4)`,
    [rowId, userId, rowId, secret],
  );
  return rowId;
}

test("the list shows the person's own accounts without their tokens", async () => {
  const id = await anAccount(person.userId);
  await anAccount(world.member.userId);
  expect((await client.get('/api/socialnet/accounts/')).body).toEqual({
    count: 1,
    next: null,
    previous: null,
    results: [
      {
        id,
        provider: 'linkedin',
        name: 'Robin Vale',
        email: 'robin@network.example',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ],
  });
  await asOwner('DELETE FROM social_accounts WHERE user_id = $1', [world.member.userId]);
});

test('the list takes the same number of statements with and without an account', async () => {
  const ask = () => client.get('/api/socialnet/accounts/');
  await ask();
  const empty = await countStatements(ask);
  await anAccount(person.userId);
  expect(await countStatements(ask)).toBe(empty);
  expect(empty).toBeLessThanOrEqual(3);
});

test('the list is paginated and accepts no other parameters', async () => {
  expect((await client.get('/api/socialnet/accounts/?page=2')).body.code).toBe('page_not_found');
  expect((await client.get('/api/socialnet/accounts/?user=x')).status).toBe(400);
});

test('a removed account is deleted with its tokens, and both logs record it', async () => {
  const id = await anAccount(person.userId);
  const removed = await client.delete(`/api/socialnet/accounts/${id}/`);
  expect([removed.status, removed.body]).toEqual([204, undefined]);
  expect(await asOwner('SELECT 1 FROM social_accounts WHERE id = $1', [id])).toEqual([]);
  expect(await asOwner('SELECT kind FROM security_events WHERE user_id = $1', [person.userId])).toEqual([
    { kind: 'social_account.removed' },
  ]);
  expect(
    await asOwner("SELECT actor_user_id FROM audit_log WHERE subject_id = $1 AND action = 'social_account.removed'", [
      person.userId,
    ]),
  ).toEqual([{ actor_user_id: person.userId }]);
});

test('tokens are encrypted again when the keys are rotated', async () => {
  const id = await anAccount(person.userId);
  const before = config.DATA_KEYS;
  const key = { id: 'newer', secret: Buffer.alloc(32, 7).toString('base64') };
  Object.assign(config, { DATA_KEYS: [key, ...before] });
  try {
    const { rotated, unreadable } = await rotateSecrets(process.env['DATABASE_OWNER_URL'] as string);
    expect([rotated > 0, unreadable]).toEqual([true, []]);
    Object.assign(config, { DATA_KEYS: [key] });
    const [row] = await asOwner<{ sealed: string }>(
      'SELECT access_token_encrypted AS sealed FROM social_accounts WHERE id = $1',
      [id],
    );
    const place = { table: 'social_accounts', column: 'access_token_encrypted', rowId: id };
    expect(decrypt(row?.sealed ?? '', place)).toBe('token');
  } finally {
    Object.assign(config, { DATA_KEYS: before });
    await asOwner('DELETE FROM social_accounts');
  }
});

test('accounts of others, and unknown, malformed and removed ids are a 404 without effect', async () => {
  const theirs = await anAccount(world.officer.userId);
  const removed = await anAccount(person.userId);
  await client.delete(`/api/socialnet/accounts/${removed}/`);
  const answers = [];
  for (const id of [theirs, randomUUID(), 'nonsense', removed]) {
    const { status, body } = await client.delete(`/api/socialnet/accounts/${id}/`);
    answers.push([status, body]);
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(answers[0]?.[0]).toBe(404);
  expect(await asOwner('SELECT 1 FROM social_accounts WHERE id = $1', [theirs])).toHaveLength(1);
});

test('accounts need a signed-in person', async () => {
  const nobody = new Client(api.url);
  expect((await nobody.get('/api/socialnet/accounts/')).status).toBe(401);
  expect((await nobody.delete(`/api/socialnet/accounts/${randomUUID()}/`)).status).toBe(401);
});
