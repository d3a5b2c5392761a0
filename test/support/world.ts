/** Organizations, chapters and people for tests. All rows are real; only log-in is shortened. */
import { signToken } from '../../models/identity/tokens.js';
import { asOwner } from './owner.js';

export interface Person {
  userId: string;
  email: string;
  membershipId: string;
  chapterId: string;
  /** A bearer token of a real session. */
  token: string;
}

export interface World {
  organizationId: string;
  slug: string;
  regionId: string;
  otherRegionId: string;
  /** In `regionId`. */
  chapterId: string;
  /** In `otherRegionId`. */
  otherChapterId: string;
  termId: string;
  admin: Person;
  regionalAdmin: Person;
  officer: Person;
  otherOfficer: Person;
  member: Person;
  /** Memberships of the officer's chapter, `member` first. */
  memberships: string[];
}

let counter = 0;
const unique = () => `${process.pid}-${Date.now().toString(36)}-${(counter += 1)}`;

const insert = async (text: string, values: unknown[]): Promise<string> =>
  ((await asOwner<{ id: string }>(`${text} RETURNING id`, values))[0] as { id: string }).id;

/** A bearer token of a new session. */
export async function signIn(userId: string, organizationId: string | null): Promise<string> {
  const sid = await insert(
    `INSERT INTO sessions (user_id, organization_id, client, expires_at) VALUES ($1, $2, 'native', now() + interval '1 day')`,
    [userId, organizationId],
  );
  return signToken({ typ: 'access', sub: userId, sid, org: organizationId }, 1800);
}

/** A user without any role. */
export async function aUser(email = `u${unique()}@example.org`, { platformAdmin = false } = {}): Promise<string> {
  return insert('INSERT INTO users (email, first_name, last_name, is_platform_admin) VALUES ($1, $2, $3, $4)', [
    email,
    'First',
    `Last ${email.split('@')[0]}`,
    platformAdmin,
  ]);
}

/** A placeholder: a person whom an organization named by an address, and who has not accepted. */
export const aPlaceholder = (organizationId: string, email = `p${unique()}@example.org`): Promise<string> =>
  insert(
    `INSERT INTO users (placeholder_in, typed_email, first_name, last_name, disabled_at)
     VALUES ($1, $2, 'Typed', 'Name', now())`,
    [organizationId, email],
  );

/** Marks the domain as verified by the platform for the organization. */
export const aVerifiedDomain = (organizationId: string, domain: string): Promise<string> =>
  insert('INSERT INTO verified_domains (organization_id, domain) VALUES ($1, $2)', [organizationId, domain]);

/** A member of a chapter with a session. */
export async function aMember(
  organizationId: string,
  chapterId: string,
  role = 'member',
  status = 'undergrad',
): Promise<Person> {
  // There is one at a time.
  if (role === 'president')
    await asOwner(`UPDATE memberships SET role = 'member' WHERE chapter_id = $1 AND role = 'president'`, [chapterId]);
  const email = `m${unique()}@example.org`;
  const userId = await aUser(email);
  const membershipId = await insert(
    'INSERT INTO memberships (organization_id, user_id, chapter_id, role, status) VALUES ($1, $2, $3, $4, $5)',
    [organizationId, userId, chapterId, role, status],
  );
  return { userId, email, membershipId, chapterId, token: await signIn(userId, organizationId) };
}

/** A platform admin with a session. */
export async function aPlatformAdmin(): Promise<Pick<Person, 'userId' | 'email' | 'token'>> {
  const email = `admin${unique()}@example.org`;
  const userId = await aUser(email, { platformAdmin: true });
  return { userId, email, token: await signIn(userId, null) };
}

/** An organization with two regions, a chapter in each, its officers and admins, and `members` more members. */
export async function aWorld({ members = 3 } = {}): Promise<World> {
  const slug = `org-${unique()}`;
  const organizationId = await insert('INSERT INTO organizations (name, slug) VALUES ($1, $2)', [
    `Organization ${slug}`,
    slug,
  ]);
  const region = (name: string) =>
    insert('INSERT INTO regions (organization_id, name) VALUES ($1, $2)', [organizationId, name]);
  const [regionId, otherRegionId] = [await region('North'), await region('South')];
  const chapter = (name: string, region: string) =>
    insert('INSERT INTO chapters (organization_id, region_id, name) VALUES ($1, $2, $3)', [
      organizationId,
      region,
      name,
    ]);
  const [chapterId, otherChapterId] = [await chapter('Alpha', regionId), await chapter('Beta', otherRegionId)];
  const termId = await insert(
    `INSERT INTO terms (organization_id, name, starts_on, ends_on)
     VALUES ($1, 'Current', current_date - 30, current_date + 120)`,
    [organizationId],
  );
  await asOwner('INSERT INTO org_dues_settings (organization_id) VALUES ($1)', [organizationId]);
  const admin = await aMember(organizationId, otherChapterId, 'member', 'alumni');
  await asOwner('INSERT INTO organization_admins (organization_id, user_id, title) VALUES ($1, $2, $3)', [
    organizationId,
    admin.userId,
    'Director',
  ]);
  const regionalAdmin = await aMember(organizationId, otherChapterId, 'member', 'alumni');
  await asOwner(
    `INSERT INTO regional_admins (organization_id, region_id, user_id, role) VALUES ($1, $2, $3, 'regional_director')`,
    [organizationId, regionId, regionalAdmin.userId],
  );
  const officer = await aMember(organizationId, chapterId, 'officer');
  const otherOfficer = await aMember(organizationId, otherChapterId, 'officer');
  const member = await aMember(organizationId, chapterId);
  const memberships = [member.membershipId];
  for (let n = 1; n < members; n += 1) memberships.push((await aMember(organizationId, chapterId)).membershipId);
  return {
    organizationId,
    slug,
    regionId,
    otherRegionId,
    chapterId,
    otherChapterId,
    termId,
    admin,
    regionalAdmin,
    officer,
    otherOfficer,
    member,
    memberships,
  };
}

/** A term in the spring of the year. @returns its id */
export const aTerm = ({ organizationId }: Pick<World, 'organizationId'>, year: number): Promise<string> =>
  insert('INSERT INTO terms (organization_id, name, starts_on, ends_on) VALUES ($1, $2, $3, $4)', [
    organizationId,
    `Term of ${year}`,
    `${year}-01-15`,
    `${year}-05-31`,
  ]);

/** An open member invoice. @returns its id */
export async function anInvoice(
  world: Pick<World, 'organizationId' | 'termId'>,
  {
    chapterId,
    membershipId,
    cents = 10_000,
    dueIn = 14,
  }: { chapterId: string; membershipId: string | null; cents?: number; dueIn?: number },
): Promise<string> {
  const id = await insert(
    `INSERT INTO chapter_invoices (organization_id, chapter_id, term_id, payer_type, membership_id, description, issue_date, due_date)
     VALUES ($1, $2, $3, $4, $5, 'Dues', current_date, current_date + $6::int)`,
    [world.organizationId, chapterId, world.termId, membershipId ? 'member' : 'chapter', membershipId, dueIn],
  );
  await asOwner(
    `INSERT INTO invoice_line_items (organization_id, invoice_id, membership_id, description, unit_amount_cents, amount_cents)
     VALUES ($1, $2, $3, 'Dues', $4, $4)`,
    [world.organizationId, id, membershipId, cents],
  );
  return id;
}
