import { sequelize } from '../../../models/database/connection.js';
import { createPlatformAdmin } from '../../../models/identity/createPlatformAdmin.js';
import { verifyPassword } from '../../../models/identity/password/passwordHash.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aUser } from '../../support/world.js';

afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

const admin = (email: string) => ({
  email,
  firstName: 'Ada',
  lastName: 'Moss',
  password: 'walnut-comet-drizzle-19',
  mustChangePassword: true,
});
const userOf = async (id: string) => (await asOwner('SELECT * FROM users WHERE id = $1', [id]))[0];

test('a new account becomes a platform admin, with a hashed password', async () => {
  const { userId, created } = await createPlatformAdmin(admin(' Ada@Example.org'));
  const user = await userOf(userId);
  expect(created).toBe(true);
  expect(user).toMatchObject({ email: 'ada@example.org', is_platform_admin: true, must_change_password: true });
  expect(await verifyPassword('walnut-comet-drizzle-19', user?.['password_hash'] as string)).toBe(true);
});

test('an existing account becomes a platform admin and is otherwise unchanged', async () => {
  const id = await aUser('someone@example.org');
  expect(await createPlatformAdmin(admin('Someone@example.org'))).toEqual({ userId: id, created: false });
  expect(await userOf(id)).toMatchObject({ first_name: 'First', password_hash: null, is_platform_admin: true });
});

test('a weak password is refused, and no account is created', async () => {
  await expect(createPlatformAdmin({ ...admin('weak@example.org'), password: 'password12' })).rejects.toMatchObject({
    code: 'validation_error',
  });
  expect(await asOwner("SELECT 1 FROM users WHERE email = 'weak@example.org'")).toEqual([]);
});
