/** The office suite accounts that memberships need; `test/scenarios/provisioning.test.ts` tests the changes at the provider. */
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

/** A member of the first chapter with a provisioned account. */
async function withAccount(): Promise<Person> {
  const person = await aMember(world.organizationId, world.chapterId);
  await asOwner('INSERT INTO account_provisioning_records (organization_id, membership_id) VALUES ($1, $2)', [
    world.organizationId,
    person.membershipId,
  ]);
  return person;
}
const setStatus = async (membershipId: string, status: string) =>
  expect((await stage.admin.patch(`/api/memberships/${membershipId}/`, { status, reason: 'Said so.' })).status).toBe(
    200,
  );
const readWants = async ({ membershipId }: Person) =>
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

test('a person who becomes active again in any chapter gets the account back', async () => {
  const person = await withAccount();
  await setStatus(person.membershipId, 'inactive');
  expect(await readWants(person)).toBe('suspended');
  const second = await joinOther(person);
  expect([await readWants(person), await startedFor(person)]).toEqual(['active', 2]);
  await setStatus(second, 'inactive');
  expect(await readWants(person)).toBe('suspended');
  await setStatus(second, 'undergrad');
  expect([await readWants(person), await startedFor(person)]).toEqual(['active', 4]);
});

test('a person who is invited to another chapter gets the account back once they accept', async () => {
  const person = await withAccount();
  await setStatus(person.membershipId, 'inactive');
  const placeholder = await aPlaceholder(world.organizationId);
  await asOwner(
    `INSERT INTO memberships (organization_id, chapter_id, user_id, status) VALUES ($1, $2, $3, 'undergrad')`,
    [world.organizationId, world.otherChapterId, placeholder],
  );
  expect(await readWants(person)).toBe('suspended');
  await asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [placeholder, person.userId]);
  expect(await readWants(person)).toBe('active');
});

test('the account of a person who is a prospect again stays suspended despite another membership', async () => {
  const person = await withAccount();
  await asOwner(`UPDATE memberships SET status = 'pnm' WHERE id = $1`, [person.membershipId]);
  expect(await readWants(person)).toBe('suspended');
  await joinOther(person);
  expect(await readWants(person)).toBe('suspended');
});

test('the account stays active when one membership ends while another begins, in either order', async () => {
  for (let n = 0; n < 4; n += 1) {
    const person = await withAccount();
    await Promise.all([setStatus(person.membershipId, 'inactive'), joinOther(person)]);
    expect(await readWants(person)).toBe('active');
  }
});
