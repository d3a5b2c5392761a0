/** Whom and what the bench asks for: real people of the seed, and drafts to pay. */
import type { Client } from 'pg';
import { withUniformMoments } from '../../api/http/timestamps.js';
import { DEMO_PASSWORD } from '../seeding/blueprints.js';
import type { Call } from './protocol.js';

export interface World {
  organizationId: string;
  slug: string;
  chapterId: string;
  officer: string;
  officerId: string;
  admin: string;
  /** Addresses of other members, to sign in with. */
  members: string[];
  /** Members to sign in with, of as many organizations as there are: of one, a process serves no more than its share at a time. */
  readers: { email: string; organizationId: string }[];
  /** Somebody of another organization, and their chapter. */
  neighbour: { email: string; chapterId: string };
}

const SIGNS_IN = `u.password_hash IS NOT NULL AND u.disabled_at IS NULL AND NOT u.must_change_password`;

/** The organization with most overdue invoices, its largest chapter that has an officer, and people who can sign in. */
export async function chooseWorld(owner: Client): Promise<World> {
  const { rows } = await owner.query<Omit<World, 'members' | 'readers' | 'neighbour'>>(
    `SELECT o.id AS "organizationId", o.slug, c.id AS "chapterId", officer.email AS officer, officer.id AS "officerId", admin.email AS admin
       FROM organizations o
       JOIN LATERAL (SELECT u.email FROM organization_admins a JOIN users u ON u.id = a.user_id
                      WHERE a.organization_id = o.id AND a.is_active AND NOT u.is_platform_admin AND ${SIGNS_IN}
                      LIMIT 1) admin ON true
       JOIN LATERAL (SELECT c.id FROM chapters c WHERE c.organization_id = o.id
                      ORDER BY (SELECT count(*) FROM memberships m WHERE m.chapter_id = c.id) DESC LIMIT 1) c ON true
       JOIN LATERAL (SELECT u.email, u.id FROM memberships m JOIN users u ON u.id = m.user_id
                      WHERE m.chapter_id = c.id AND app.leads_chapter(m.role, m.status) AND ${SIGNS_IN}
                      LIMIT 1) officer ON true
      WHERE EXISTS (SELECT 1 FROM org_payment_processors p WHERE p.organization_id = o.id AND p.disabled_at IS NULL)
      ORDER BY (SELECT count(*) FROM chapter_invoices i WHERE i.organization_id = o.id AND i.status = 'overdue') DESC, o.id
      LIMIT 1`,
  );
  const [chosen] = rows;
  if (!chosen) throw new Error('The seed has no organization to measure.');
  const members = await owner.query<{ email: string }>(
    `SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND app.gives_access(m.status) AND u.email <> ALL ($2) AND ${SIGNS_IN} LIMIT 16`,
    [chosen.organizationId, [chosen.officer, chosen.admin]],
  );
  const readers = await owner.query<World['readers'][number]>(
    `SELECT m.email, o.id AS "organizationId"
       FROM organizations o
      CROSS JOIN LATERAL (SELECT u.email, row_number() OVER (ORDER BY u.id) AS n FROM memberships m JOIN users u ON u.id = m.user_id
         WHERE m.organization_id = o.id AND app.gives_access(m.status) AND u.email <> ALL ($1) AND ${SIGNS_IN} LIMIT 16) m
      WHERE o.is_active ORDER BY m.n, o.id LIMIT 16`,
    [[chosen.officer, chosen.admin]],
  );
  const neighbours = await owner.query<World['neighbour']>(
    `SELECT u.email, m.chapter_id AS "chapterId" FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id <> $1 AND app.leads_chapter(m.role, m.status) AND ${SIGNS_IN} LIMIT 1`,
    [chosen.organizationId],
  );
  const [neighbour] = neighbours.rows;
  if (!neighbour) throw new Error('The seed has no second organization.');
  return { ...chosen, members: members.rows.map(({ email }) => email), readers: readers.rows, neighbour };
}

/** As a native client behind a proxy, one address a person. */
export const loginCall = (email: string, caller = 1): Call => ({
  method: 'POST',
  path: '/api/auth/login/',
  headers: { 'Content-Type': 'application/json', 'X-Client': 'native', 'X-Forwarded-For': `198.51.100.${caller}` },
  body: JSON.stringify({ email, password: DEMO_PASSWORD }),
});

/** Signs in. @returns the header that proves it */
export async function signIn(base: string, email: string): Promise<Record<string, string>> {
  const { access_token: token } = (await ask(base, loginCall(email))) as { access_token: string };
  return { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '198.51.100.1' };
}

/** Signs readers in, one after the other. */
export async function signedIn(base: string, readers: World['readers']) {
  const found: { headers: Record<string, string>; organizationId: string }[] = [];
  for (const { email, organizationId } of readers) found.push({ headers: await signIn(base, email), organizationId });
  return found;
}

/** @returns the JSON of a 2xx answer. @throws Error with any other */
export async function ask(base: string, { method, path, headers, body }: Call): Promise<unknown> {
  const response = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
  // The reference sends moments as Postgres writes them.
  return JSON.parse(withUniformMoments(text));
}
