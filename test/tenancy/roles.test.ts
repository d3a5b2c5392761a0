/** API and worker refuse to start with a role that row level security does not bind. */
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

/** The check at start, in a process with this DATABASE_URL. */
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

test('the API starts with the runtime role', async () => {
  await expect(boot(runtimeUrl)).resolves.toBeUndefined();
});

test('the API refuses the owner role', async () => {
  await expect(boot(ownerUrl)).rejects.toThrow('role membership_owner owns tables');
});

test('the API refuses a superuser', async () => {
  await expect(boot(superuserUrl)).rejects.toThrow('role postgres is a superuser');
});

test('the API refuses a role that bypasses row level security', async () => {
  await asSuperuser(`ALTER ROLE ${role} BYPASSRLS`);
  await expect(boot(urlOf(role, 'strong'))).rejects.toThrow(`role ${role} bypasses row level security`);
});

test('the API refuses a member of the owner role', async () => {
  await asSuperuser(`GRANT membership_owner TO ${role}`);
  await expect(boot(urlOf(role, 'strong'))).rejects.toThrow(`role ${role} owns tables`);
});
