/** API and worker refuse to serve with a role that row level security does not bind. */
import { Client } from 'pg';
import { databaseUrl, FACTS, type Facts } from '../support/environment/facts';

const facts = JSON.parse(process.env[FACTS] as string) as Facts;
const runtimeUrl = process.env['DATABASE_URL'] as string;
const ownerUrl = process.env['DATABASE_OWNER_URL'] as string;
const database = new URL(runtimeUrl).pathname.slice(1);
const urlOf = (name: string, password: string) => databaseUrl(facts.postgresPort, { name, password }, database);
const superuserUrl = urlOf('postgres', facts.superuserPassword);
const role = `strong_${database}`;

async function asSuperuser(sql: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** The boot check in a process whose DATABASE_URL is this. */
async function boot(url: string): Promise<void> {
  process.env['DATABASE_URL'] = url;
  await jest.isolateModulesAsync(async () => {
    const { refuseStrongRole } = await import('../../models/database/roles.js');
    const { sequelize } = await import('../../models/database/connection.js');
    try {
      await refuseStrongRole();
    } finally {
      await sequelize.close();
    }
  });
}

beforeAll(() => asSuperuser(`CREATE ROLE ${role} LOGIN PASSWORD 'strong'`));
afterAll(() => asSuperuser(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
afterEach(() => asSuperuser(`ALTER ROLE ${role} NOBYPASSRLS; REVOKE membership_owner FROM ${role}`));

test('the runtime role is let through', async () => {
  await expect(boot(runtimeUrl)).resolves.toBeUndefined();
});

test('the owner is refused', async () => {
  await expect(boot(ownerUrl)).rejects.toThrow('role membership_owner owns tables');
});

test('a superuser is refused', async () => {
  await expect(boot(superuserUrl)).rejects.toThrow('role postgres is a superuser');
});

test('a role that bypasses row level security is refused', async () => {
  await asSuperuser(`ALTER ROLE ${role} BYPASSRLS`);
  await expect(boot(urlOf(role, 'strong'))).rejects.toThrow(`role ${role} bypasses row level security`);
});

test('a member of the owner role is refused', async () => {
  await asSuperuser(`GRANT membership_owner TO ${role}`);
  await expect(boot(urlOf(role, 'strong'))).rejects.toThrow(`role ${role} owns tables`);
});
