import { auditAll } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import type { Done } from './changeMembers.js';
import { inviteSilently, keepPeople } from './changeMembers.js';
import { MEMBERSHIP_FIELDS } from './fields.js';
import type { Line } from './lines.js';
import { doing, type Plan } from './plan.js';

/** Memberships of the lines that are to make one, but for those of chapters that take nobody in any more. */
export async function createMembers(importId: string, plans: Plan[]): Promise<void> {
  const open = await activeChapters(doing(plans, 'created').map(({ line }) => line.chapter_id as string));
  for (const plan of doing(plans, 'created'))
    if (!open.has(plan.line.chapter_id as string))
      Object.assign(plan, { result: 'failed', why: 'chapter_not_active' } satisfies Partial<Done>);
  const news = doing(plans, 'created');
  if (news.length === 0) return;
  const people = await keepPeople(news.map(({ line }) => line));
  const made = await rows<{ id: string; user_id: string; chapter_id: string }>(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, ${MEMBERSHIP_FIELDS.join(', ')})
     SELECT $1, n.user_id, n.chapter_id, coalesce(n.status, 'undergrad'), coalesce(n.role,
              CASE n.status WHEN 'alumni' THEN 'alumni' ELSE 'member' END), ${MEMBERSHIP_FIELDS.slice(2)
                .map((field) => `n.${field}`)
                .join(', ')}
       FROM jsonb_to_recordset($2) AS n (user_id uuid, chapter_id uuid, status text, role text, joined_date date,
              graduation_year int, graduation_season text, pledge_class text, line_number int, crossing_semester text,
              crossing_date date)
      ORDER BY n.chapter_id RETURNING id, user_id, chapter_id`,
    [
      currentOrganization(),
      JSON.stringify(
        news.map(({ line }) => ({ ...line.given, user_id: people.get(line.id), chapter_id: line.chapter_id })),
      ),
    ],
  );
  const ids = new Map(made.map(({ id, user_id, chapter_id }) => [`${user_id} ${chapter_id}`, id]));
  for (const plan of news) {
    plan.userId = people.get(plan.line.id) as string;
    plan.membership_id = ids.get(`${plan.userId} ${plan.line.chapter_id}`) as string;
  }
  const asked = news.filter(({ line }) => line.account_id === null);
  await inviteSilently(
    asked.map(({ userId, membership_id }) => ({ user_id: userId as string, membership_id: membership_id as string })),
  );
  await auditAll(
    news.map(({ membership_id, line }) => ({
      action: 'membership.created',
      subjectType: 'membership',
      subjectId: membership_id,
      person: { membershipId: membership_id as string },
      after: { ...ownFields(line.given), chapter_id: line.chapter_id, import_id: importId },
    })),
  );
}

const ownFields = (given: Line['given']) =>
  Object.fromEntries(MEMBERSHIP_FIELDS.filter((field) => field in given).map((field) => [field, given[field]]));

async function activeChapters(ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await rows<{ id: string }>(
    `SELECT id FROM chapters WHERE organization_id = $1 AND id = ANY ($2) AND status = 'active' ORDER BY id FOR SHARE`,
    [currentOrganization(), ids],
  );
  return new Set(found.map(({ id }) => id));
}
