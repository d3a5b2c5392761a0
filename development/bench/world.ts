/** The people and drafts of the seed that the benchmark uses. */
import type { Client } from 'pg';
import { withUniformTimestamps } from '../../api/http/timestamps.js';
import { DEMO_PASSWORD } from '../seeding/blueprints.js';
import type { Call } from './protocol.js';

/** Number of concurrent users. */
export const READERS = 16;

export interface Person {
  email: string;
  organizationId: string;
}

/**
 * Sixteen people of each kind, each from a different organization if there are enough. An API process limits the
 * database connections of one organization, so readers of a single organization would measure this limit.
 */
export interface Readers<P> {
  admins: P[];
  /** Officers of the largest chapters of their organizations. */
  officers: (P & { chapterId: string })[];
  members: P[];
}

export interface World {
  organizationId: string;
  slug: string;
  chapterId: string;
  officer: string;
  officerId: string;
  admin: string;
  /** Addresses of other members, to sign in with. */
  members: string[];
  readers: Readers<Person>;
  /** An officer of another organization, and the officer's chapter. */
  neighbour: { email: string; chapterId: string };
}

export const CAN_SIGN_IN = `u.password_hash IS NOT NULL AND u.disabled_at IS NULL AND NOT u.must_change_password`;

/**
 * Chooses the organization with the most overdue invoices, its largest chapter with an officer, and people who can sign
 * in.
 */
export async function chooseWorld(owner: Client): Promise<World> {
  const { rows } = await owner.query<Omit<World, 'members' | 'readers' | 'neighbour'>>(
    `SELECT o.id AS "organizationId", o.slug, c.id AS "chapterId", officer.email AS officer, officer.id AS "officerId", admin.email AS admin
       FROM organizations o
       JOIN LATERAL (SELECT u.email FROM organization_admins a JOIN users u ON u.id = a.user_id
                      WHERE a.organization_id = o.id AND a.is_active AND NOT u.is_platform_admin AND ${CAN_SIGN_IN}
                      LIMIT 1) admin ON true
       JOIN LATERAL (SELECT c.id FROM chapters c WHERE c.organization_id = o.id
                      ORDER BY (SELECT count(*) FROM memberships m WHERE m.chapter_id = c.id) DESC LIMIT 1) c ON true
       JOIN LATERAL (SELECT u.email, u.id FROM memberships m JOIN users u ON u.id = m.user_id
                      WHERE m.chapter_id = c.id AND app.leads_chapter(m.role, m.status) AND ${CAN_SIGN_IN}
                      LIMIT 1) officer ON true
      WHERE EXISTS (SELECT 1 FROM org_payment_processors p WHERE p.organization_id = o.id
                      AND p.purpose = 'dues' AND p.disabled_at IS NULL)
      ORDER BY (SELECT count(*) FROM chapter_invoices i WHERE i.organization_id = o.id AND i.status = 'overdue') DESC, o.id
      LIMIT 1`,
  );
  const [chosen] = rows;
  if (!chosen) throw new Error('The seed has no organization to measure.');
  const members = await owner.query<{ email: string }>(
    `SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND app.gives_access(m.status) AND u.email <> ALL ($2) AND ${CAN_SIGN_IN} LIMIT 16`,
    [chosen.organizationId, [chosen.officer, chosen.admin]],
  );
  const readers = await chooseReaders(owner, [chosen.officer, chosen.admin]);
  const neighbours = await owner.query<World['neighbour']>(
    `SELECT u.email, m.chapter_id AS "chapterId" FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id <> $1 AND app.leads_chapter(m.role, m.status) AND ${CAN_SIGN_IN} LIMIT 1`,
    [chosen.organizationId],
  );
  const [neighbour] = neighbours.rows;
  if (!neighbour) throw new Error('The seed has no second organization.');
  return { ...chosen, members: members.rows.map(({ email }) => email), readers, neighbour };
}

/**
 * Chooses the people whose reads are measured.
 * @param others members who must not be among the chosen members
 */
async function chooseReaders(owner: Client, others: string[]): Promise<Readers<Person>> {
  // Chooses people: one person of each organization comes before any organization's second person.
  const choose = async <P extends Person>(people: string, values: unknown[] = []): Promise<P[]> => {
    const { rows } = await owner.query<P>(
      `SELECT p.email, p.organization_id AS "organizationId", p.chapter_id AS "chapterId"
         FROM organizations o
        CROSS JOIN LATERAL (SELECT c.*, row_number() OVER () AS n FROM (${people} LIMIT ${READERS}) c) p
        WHERE o.is_active ORDER BY p.n, o.id LIMIT ${READERS}`,
      values,
    );
    return rows;
  };
  return {
    admins: await choose(
      `SELECT u.email, a.organization_id, NULL::uuid AS chapter_id FROM organization_admins a JOIN users u ON u.id = a.user_id
        WHERE a.organization_id = o.id AND a.is_active AND NOT u.is_platform_admin AND ${CAN_SIGN_IN} ORDER BY u.id`,
    ),
    officers: await choose(
      `SELECT u.email, m.organization_id, m.chapter_id FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = o.id AND app.leads_chapter(m.role, m.status) AND ${CAN_SIGN_IN}
        ORDER BY (SELECT count(*) FROM memberships s WHERE s.chapter_id = m.chapter_id) DESC, m.chapter_id, m.id`,
    ),
    members: await choose(
      `SELECT u.email, m.organization_id, m.chapter_id FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE m.organization_id = o.id AND app.gives_access(m.status) AND u.email <> ALL ($1) AND ${CAN_SIGN_IN} ORDER BY u.id`,
      [others],
    ),
  };
}

/**
 * Returns the log-in call of a native client behind a proxy.
 * @param caller number of the person, from which the network address is made
 */
export const loginCall = (email: string, caller = 1): Call => ({
  method: 'POST',
  path: '/api/auth/login/',
  headers: { 'Content-Type': 'application/json', 'X-Client': 'native', 'X-Forwarded-For': `198.51.100.${caller}` },
  body: JSON.stringify({ email, password: DEMO_PASSWORD }),
});

/** A person with the headers of an authenticated request. */
export interface SignedIn extends Person {
  headers: Record<string, string>;
}

/** Signs in. @returns the authorization headers */
export async function signIn(base: string, email: string): Promise<Record<string, string>> {
  const { access_token: token } = (await ask(base, loginCall(email))) as { access_token: string };
  return { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '198.51.100.1' };
}

/** Signs people in, one after the other. */
export async function signInAll<P extends Person>(base: string, people: P[]): Promise<(P & SignedIn)[]> {
  const signedInPeople: (P & SignedIn)[] = [];
  for (const person of people) signedInPeople.push({ ...person, headers: await signIn(base, person.email) });
  return signedInPeople;
}

/** @returns the JSON of a 2xx answer. @throws Error for any other answer */
export async function ask(base: string, { method, path, headers, body }: Call): Promise<unknown> {
  const response = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  // The reference returns timestamps in Postgres's format.
  return JSON.parse(withUniformTimestamps(text));
}
