/** An organization's identity provider creates accounts only for addresses of domains that the platform has verified. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { bindIdentity } from '../../../models/identity/sso/bindIdentity.js';
import type { ActiveConnection } from '../../../models/identity/sso/connections.js';
import { rehearseSignIn } from '../../../models/identity/sso/rehearseSignIn.js';
import { addMember } from '../../../models/organizations/addMember.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aUser, aVerifiedDomain, aWorld, type Person, type World } from '../../support/world.js';

let counter = 0;
const unique = () => `${process.pid}${(counter += 1)}`;
/** A new domain for each test, which is not verified yet. */
let domain: string;
let home: Directory;
let other: Directory;

interface Directory extends World {
  connection: ActiveConnection;
}

/** An organization whose provider creates accounts for every domain that it lists. */
async function aDirectory(): Promise<Directory> {
  const world = await aWorld();
  const slug = `directory-${unique()}`;
  const [connection] = await asOwner<ActiveConnection & Record<string, unknown>>(
    `INSERT INTO sso_connections (organization_id, kind, provider, name, slug, domains, auto_provision, provision_chapter_id)
     VALUES ($1, 'saml', 'saml', 'Directory', $2, '{}', true, $3) RETURNING *`,
    [world.organizationId, slug, world.chapterId],
  );
  return { ...world, connection: connection as ActiveConnection };
}

beforeAll(async () => {
  [home, other] = [await aDirectory(), await aDirectory()];
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});
beforeEach(async () => {
  domain = `d${unique()}.edu`;
  const listed = [domain, `mail.${domain}`, `${domain}.evil.edu`];
  await asOwner('UPDATE sso_connections SET domains = $1', [listed]);
  for (const directory of [home, other]) directory.connection.domains = listed;
});

const claimsOf = (email: string | null, subject = `s-${unique()}`) => ({
  issuer: 'https://idp.example.org',
  subject,
  email,
  emailVerified: true,
  firstName: 'A',
  lastName: 'B',
  authenticatedAt: null,
  providerSessionId: null,
  providerName: null,
});
const signIn = ({ organizationId, connection }: Directory, email: string | null, subject?: string) =>
  inTenant(organizationId, () => bindIdentity(connection, claimsOf(email, subject)));
const rehearse = ({ organizationId, connection }: Directory, email: string | null) =>
  inTenant(organizationId, () => rehearseSignIn(connection.id, claimsOf(email)));
const invite = ({ organizationId, chapterId }: Directory, email: string) =>
  inTenant(organizationId, () =>
    addMember(chapterId, { email, first_name: 'T', last_name: 'N', role: 'member', status: 'undergrad' }),
  );
const accountsOf = (email: string) => asOwner<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);
/** A member of an organization, with an address of the domain. */
async function ownMember({ organizationId, chapterId }: World): Promise<Person> {
  const person = await aMember(organizationId, chapterId);
  const email = `m${unique()}@${domain}`;
  await asOwner('UPDATE users SET email = $2 WHERE id = $1', [person.userId, email]);
  return { ...person, email };
}

/** Addresses without an account, of accounts elsewhere of every kind, and of invited people. */
async function strangers(): Promise<string[]> {
  const address = () => `x${unique()}@${domain}`;
  const [unused, invited, secondary, platform, disabled, both] = [
    address(),
    address(),
    address(),
    address(),
    address(),
    address(),
  ] as [string, string, string, string, string, string];
  const foreign = await ownMember(other);
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true), ($1, $3, true)', [
    foreign.userId,
    secondary,
    both,
  ]);
  await aUser(platform, { platformAdmin: true });
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [await aUser(disabled)]);
  for (const email of [invited, both]) await invite(home, email);
  return [unused, foreign.email, invited, secondary, platform, disabled, both];
}

test('a sign-in with an address of an unverified domain is refused with the same answer and statements for every address', async () => {
  const seen = [];
  for (const email of await strangers()) {
    const answers: unknown[] = [];
    const cost = await countStatements(async () => {
      answers.push(await signIn(home, email), await rehearse(home, email));
    });
    seen.push([...answers, cost]);
  }
  expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(seen[0]?.slice(0, 2)).toEqual([{ failure: 'no_account' }, 'no_account']);
});

test('a sign-in of a verified domain creates an account for a new address, and none for accounts elsewhere', async () => {
  await aVerifiedDomain(home.organizationId, domain);
  const [unused, foreign, invited, ...elsewhere] = (await strangers()) as [string, string, string, ...string[]];
  for (const email of [unused, invited]) {
    expect(await rehearse(home, email)).toBeNull();
    expect(await accountsOf(email)).toEqual([]);
    const bound = await signIn(home, email.toUpperCase());
    expect(bound).toEqual({ userId: (await accountsOf(email))[0]?.id });
  }
  for (const email of [foreign, ...elsewhere]) {
    expect([await signIn(home, email), await rehearse(home, email)]).toEqual([{ failure: 'no_account' }, 'no_account']);
  }
});

test("a provider's name is normalized like every name, without forbidden characters", async () => {
  await aVerifiedDomain(home.organizationId, domain);
  const namesOf = async (firstName: string, lastName: string) => {
    const email = `n${unique()}@${domain}`;
    await inTenant(home.organizationId, () =>
      bindIdentity(home.connection, { ...claimsOf(email), firstName, lastName }),
    );
    return (await asOwner('SELECT first_name, last_name FROM users WHERE email = $1', [email]))[0];
  };
  expect(await namesOf('Zoë'.normalize('NFD'), '\u202eMüller\r\nX\u2066')).toEqual({
    first_name: 'Zoë',
    last_name: 'Müller X',
  });
  expect(await namesOf('\u3164\u200b', '')).toEqual({
    first_name: expect.stringMatching(/^n\d+$/),
    last_name: '(unknown)',
  });
});

test('verifying a domain does not verify its subdomains', async () => {
  await aVerifiedDomain(home.organizationId, domain);
  const local = `x${unique()}`;
  for (const email of [`${local}@mail.${domain}`, `${local}@${domain}.evil.edu`, `${local}@x${domain}`, `${local}@edu`])
    expect([email, 'failure' in (await signIn(home, email))]).toEqual([email, true]);
  const lookalikes = [`${local}@${domain}.`, `${local}@${domain.replace('e', 'е')}`, `${local}@${domain}@evil.edu`];
  for (const email of [...lookalikes, `"${local}@${domain}"@evil.edu`, `${local}@evil.edu,x@${domain}`])
    expect([email, await signIn(home, email)]).toEqual([email, { failure: 'email_missing' }]);
});

test('a withdrawn domain admits no new person, and people who came by it still sign in', async () => {
  const id = await aVerifiedDomain(home.organizationId, domain);
  const [first, next] = [`a${unique()}@${domain}`, `b${unique()}@${domain}`];
  const bound = await signIn(home, first, `stays-${domain}`);
  await invite(home, next);
  await asOwner('DELETE FROM verified_domains WHERE id = $1', [id]);
  expect(await signIn(home, next)).toEqual({ failure: 'no_account' });
  expect(await signIn(home, first, `stays-${domain}`)).toEqual(bound);
});

test('one of two organizations with the same domain creates the account, and neither reaches the other’s', async () => {
  for (const { organizationId } of [home, other]) await aVerifiedDomain(organizationId, domain);
  const email = `both${unique()}@${domain}`;
  expect(await signIn(home, email)).toHaveProperty('userId');
  expect(await signIn(other, email)).toEqual({ failure: 'no_account' });
  await invite(other, email);
  expect(await signIn(other, email)).toEqual({ failure: 'no_account' });
  expect(await accountsOf(email)).toHaveLength(1);
});

test('the verified domain of another organization does not count', async () => {
  await aVerifiedDomain(other.organizationId, domain);
  const email = `x${unique()}@${domain}`;
  await invite(home, email);
  expect([await signIn(home, email), await rehearse(home, email)]).toEqual([{ failure: 'no_account' }, 'no_account']);
});

test('a member signs in with an address of any domain', async () => {
  const person = await ownMember(home);
  expect(await signIn(home, person.email)).toEqual({ userId: person.userId });
});
