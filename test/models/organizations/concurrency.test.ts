/** Rules over several rows hold for two concurrent transactions, which do not see each other's changes. */
import { AsyncLocalStorage } from 'node:async_hooks';
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { createRow } from '../../../models/database/model/change.js';
import { rows } from '../../../models/database/rows.js';
import { changeOrganizationAdmin } from '../../../models/organizations/admins.js';
import { Term } from '../../../models/organizations/Term.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aUser, aWorld, type World } from '../../support/world.js';

let world: World;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

/** Runs outside of the open transaction. */
const elsewhere = AsyncLocalStorage.snapshot();

/** Runs `first` and, before it commits, `second`. @returns the code with which the second is refused, or null */
async function during(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  organizationId = world.organizationId,
): Promise<string | null> {
  let later: Promise<string | null> | undefined;
  await inTenant(organizationId, async () => {
    await first();
    later = elsewhere(() => inTenant(organizationId, second)).then(
      () => null,
      (error: unknown) => translateDatabaseError(error)?.code ?? 'unknown',
    );
    // Long enough for the second to finish, if it did not have to wait.
    const early = await Promise.race([later, new Promise((resolve) => setTimeout(resolve, 150, 'waits'))]);
    expect(early).toBe('waits');
  });
  return (await later) ?? null;
}

test('a term that overlaps one of an open transaction waits for it, and is refused', async () => {
  const term = (name: string, starts_on: string) => () => createRow(Term, { name, starts_on, ends_on: '2071-06-30' });
  expect(await during(term('One', '2071-01-01'), term('Two', '2071-02-01'))).toBe('term_overlap');
});

test('the last two admins cannot deactivate each other: the second transaction waits, and is refused', async () => {
  const [first] = await asOwner<{ id: string }>('SELECT id FROM organization_admins WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const [second] = await asOwner<{ id: string }>(
    'INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2) RETURNING id',
    [world.organizationId, await aUser()],
  );
  const deactivate = (admin?: { id: string }) => () =>
    changeOrganizationAdmin(admin?.id as string, { is_active: false });
  expect(await during(deactivate(first), deactivate(second))).toBe('last_admin');
});

test('the last two admins cannot be disabled or resign at once: the second transaction waits, and is refused', async () => {
  const tenant = await aWorld({ members: 1 });
  const [office] = await asOwner<{ id: string }>(
    'INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2) RETURNING id',
    [tenant.organizationId, tenant.member.userId],
  );
  const disabled = (userId: string) => () => rows('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]);
  const resigned = () => changeOrganizationAdmin(office?.id as string, { is_active: false });
  const enabled = () => asOwner('UPDATE users SET disabled_at = NULL WHERE disabled_at IS NOT NULL');
  const { admin, member, organizationId } = tenant;
  expect(await during(disabled(admin.userId), disabled(member.userId), organizationId)).toBe('last_admin');
  await enabled();
  expect(await during(disabled(admin.userId), resigned, organizationId)).toBe('last_admin');
  await enabled();
  expect(await during(resigned, disabled(admin.userId), organizationId)).toBe('last_admin');
});

test("concurrent ends and beginnings of a person's two memberships leave the correct access", async () => {
  const userId = await aUser();
  const join = (chapter: string) => () =>
    rows('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      world.organizationId,
      userId,
      chapter,
    ]);
  const leave = (chapter: string) => () =>
    rows(`UPDATE memberships SET status = 'inactive' WHERE user_id = $1 AND chapter_id = $2`, [userId, chapter]);
  const affiliations = () => asOwner('SELECT kind FROM affiliations WHERE user_id = $1', [userId]);

  await inTenant(world.organizationId, join(world.chapterId));
  await during(leave(world.chapterId), join(world.otherChapterId));
  expect(await affiliations()).toEqual([{ kind: 'member' }]);
  await asOwner(`UPDATE memberships SET status = 'undergrad' WHERE user_id = $1`, [userId]);
  await during(leave(world.chapterId), leave(world.otherChapterId));
  expect(await affiliations()).toEqual([]);
});

test('adding members does not wait for the deactivation of an admin', async () => {
  const [admin] = await asOwner<{ id: string }>(
    'INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2) RETURNING id',
    [world.organizationId, await aUser()],
  );
  const userId = await aUser();
  await inTenant(world.organizationId, async () => {
    await changeOrganizationAdmin((admin as { id: string }).id, { is_active: false });
    await elsewhere(() =>
      inTenant(world.organizationId, () =>
        rows('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
          world.organizationId,
          userId,
          world.chapterId,
        ]),
      ),
    );
  });
});
