/** Which accounts at an office suite are wanted, by the memberships of their person. What is done about it, `test/scenarios/provisioning.test.ts` tells. */
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlaceholder, type Person } from '../../support/world.js';

const stage = apiWorld();
const { world } = stage;

beforeAll(() =>
  asOwner(
    `INSERT INTO account_provisioning_configs (organization_id, provider, domain, address_template, credentials_encrypted, on_leave)
     VALUES ($1, 'workspace_suite', 'example.org', '{first}', 'x', 'suspend')`,
    [world.organizationId],
  ),
);

/** Somebody with an account, by their membership in the first chapter. */
async function withAccount(): Promise<Person> {
  const person = await aMember(world.organizationId, world.chapterId);
  await asOwner('INSERT INTO account_provisioning_records (organization_id, membership_id) VALUES ($1, $2)', [
    world.organizationId,
    person.membershipId,
  ]);
  return person;
}
const become = async (membershipId: string, status: string) =>
  expect((await stage.admin.patch(`/api/memberships/${membershipId}/`, { status, reason: 'Said so.' })).status).toBe(
    200,
  );
const wanted = async ({ membershipId }: Person) =>
  (
    await asOwner<{ wants: string }>('SELECT wants FROM account_provisioning_records WHERE membership_id = $1', [
      membershipId,
    ])
  )[0]?.wants;
const startedFor = async ({ membershipId }: Person) =>
  (
    await asOwner(
      `SELECT FROM outbox WHERE workflow_id = (SELECT 'provision/' || id FROM account_provisioning_records WHERE membership_id = $1)`,
      [membershipId],
    )
  ).length;
const joinOther = async ({ email }: Person): Promise<string> => {
  const joined = await stage.admin.post<{ id: string }>(`/api/chapters/${world.otherChapterId}/members/`, {
    email,
    first_name: 'First',
    last_name: 'Last',
    role: 'member',
    status: 'undergrad',
  });
  expect(joined.status).toBe(201);
  return joined.body.id;
};

test('whoever comes back has the account again, by whichever chapter', async () => {
  const person = await withAccount();
  await become(person.membershipId, 'inactive');
  expect(await wanted(person)).toBe('suspended');
  const second = await joinOther(person);
  expect([await wanted(person), await startedFor(person)]).toEqual(['active', 2]);
  await become(second, 'inactive');
  expect(await wanted(person)).toBe('suspended');
  await become(second, 'undergrad');
  expect([await wanted(person), await startedFor(person)]).toEqual(['active', 4]);
});

test('whoever is invited to another chapter has it again once they accept, and not before', async () => {
  const person = await withAccount();
  await become(person.membershipId, 'inactive');
  const placeholder = await aPlaceholder(world.organizationId);
  await asOwner(
    `INSERT INTO memberships (organization_id, chapter_id, user_id, status) VALUES ($1, $2, $3, 'undergrad')`,
    [world.organizationId, world.otherChapterId, placeholder],
  );
  expect(await wanted(person)).toBe('suspended');
  await asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [placeholder, person.userId]);
  expect(await wanted(person)).toBe('active');
});

test('the account of a crossing that was taken back stays shut, whatever else its person is', async () => {
  const person = await withAccount();
  await asOwner(`UPDATE memberships SET status = 'pnm' WHERE id = $1`, [person.membershipId]);
  expect(await wanted(person)).toBe('suspended');
  await joinOther(person);
  expect(await wanted(person)).toBe('suspended');
});

test('of a membership that ends and one that begins at the same moment the account stays, whichever is first', async () => {
  for (let n = 0; n < 4; n += 1) {
    const person = await withAccount();
    await Promise.all([become(person.membershipId, 'inactive'), joinOther(person)]);
    expect(await wanted(person)).toBe('active');
  }
});
