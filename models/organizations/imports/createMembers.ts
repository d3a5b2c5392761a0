import { auditAll } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import type { LineResult } from './changeMembers.js';
import { inviteSilently, findOrCreatePeople } from './changeMembers.js';
import { MEMBERSHIP_FIELDS } from './fields.js';
import type { Line } from './lines.js';
import { plansWithResult, type Plan } from './plan.js';

/** Creates the memberships of new lines, except in chapters that are no longer active. */
export async function createMembers(importId: string, plans: Plan[]): Promise<void> {
  const activeIds = await activeChapters(
    plansWithResult(plans, 'created').map(({ line }) => line.chapter_id as string),
  );
  for (const plan of plansWithResult(plans, 'created'))
    if (!activeIds.has(plan.line.chapter_id as string))
      Object.assign(plan, { result: 'failed', why: 'chapter_not_active' } satisfies Partial<LineResult>);
  const newPlans = plansWithResult(plans, 'created');
  if (newPlans.length === 0) return;
  const people = await findOrCreatePeople(newPlans.map(({ line }) => line));
  const inserted = await rows<{ id: string; user_id: string; chapter_id: string }>(
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
        newPlans.map(({ line }) => ({ ...line.given, user_id: people.get(line.id), chapter_id: line.chapter_id })),
      ),
    ],
  );
  const ids = new Map(inserted.map(({ id, user_id, chapter_id }) => [`${user_id} ${chapter_id}`, id]));
  for (const plan of newPlans) {
    plan.userId = people.get(plan.line.id) as string;
    plan.membership_id = ids.get(`${plan.userId} ${plan.line.chapter_id}`) as string;
  }
  const invited = newPlans.filter(({ line }) => line.account_id === null);
  await inviteSilently(
    invited.map(({ userId, membership_id }) => ({ user_id: userId as string, membership_id: membership_id as string })),
  );
  await auditAll(
    newPlans.map(({ membership_id, line }) => ({
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
  const chapters = await rows<{ id: string }>(
    `SELECT id FROM chapters WHERE organization_id = $1 AND id = ANY ($2) AND status = 'active' ORDER BY id FOR SHARE`,
    [currentOrganization(), ids],
  );
  return new Set(chapters.map(({ id }) => id));
}
