/** The database's state of a walk, in the model's terms. */
import { asOwner } from '../../owner.js';
import type { Member, Pair, State } from './memberModel.js';
import type { Scene } from './scene.js';

/** The model's whole state. */
export async function readState(scene: Scene): Promise<State> {
  const found = await asOwner<Member & { id: string; user_id: string; chapter_id: string }>(
    `SELECT m.id, m.user_id, m.chapter_id,
            (SELECT json_agg(json_build_object('status', p.status, 'role', p.role, 'from', p.valid_from - $2::date,
                      'source', p.source) ORDER BY p.ordinal) FROM membership_periods p WHERE p.membership_id = m.id) AS periods,
            (SELECT coalesce(json_agg(t.position), '[]') FROM officer_terms t
              WHERE t.membership_id = m.id AND t.ended_on IS NULL) AS terms,
            (SELECT coalesce(json_agg(json_build_object('day', c.effective_on - $2::date, 'status', c.status, 'role', c.role,
                      'to', array_position($3::uuid[], c.to_chapter_id) - 1) ORDER BY c.effective_on), '[]')
               FROM membership_scheduled_changes c WHERE c.membership_id = m.id AND c.state = 'scheduled') AS scheduled,
            (SELECT count(*)::int FROM audit_log l WHERE l.subject_type = 'membership' AND l.subject_id = m.id) AS audits
       FROM memberships m WHERE m.organization_id = $1 AND m.user_id = ANY ($4) ORDER BY m.id`,
    [scene.organizationId, scene.today, scene.chapters, scene.people],
  );
  const members: State['members'] = {};
  for (const { id, user_id, chapter_id, ...member } of found) {
    const pair: Pair = `${scene.people.indexOf(user_id)}:${scene.chapters.indexOf(chapter_id)}`;
    scene.ids.set(pair, id);
    if (members[pair]) throw new Error(`${pair} is there twice.`);
    members[pair] = member;
  }
  const closed = await asOwner<{ id: string }>(`SELECT id FROM chapters WHERE id = ANY ($1) AND status <> 'active'`, [
    scene.chapters,
  ]);
  return { members, suspended: closed.map(({ id }) => scene.chapters.indexOf(id)), rollover: null };
}

/** People with access, and chapter leaders. */
export async function readRights(scene: Scene): Promise<{ access: string[]; leaders: string[] }> {
  const [found] = await asOwner<{ access: string[]; leaders: string[] }>(
    `SELECT (SELECT coalesce(array_agg(user_id::text), '{}') FROM affiliations
              WHERE organization_id = $1 AND kind = 'member' AND user_id = ANY ($2)) AS access,
            (SELECT coalesce(array_agg(id::text), '{}') FROM memberships
              WHERE organization_id = $1 AND user_id = ANY ($2) AND app.leads_chapter(role, status)) AS leaders`,
    [scene.organizationId, scene.people],
  );
  return { access: found?.access.sort() ?? [], leaders: found?.leaders.sort() ?? [] };
}

/** Rows that are unknown to the walk. */
export async function countStrangers(scene: Scene): Promise<Record<string, number>> {
  const found = await asOwner<{ chapter_id: string; count: number }>(
    `SELECT chapter_id, count(*)::int AS count FROM memberships
      WHERE organization_id = $1 AND NOT user_id = ANY ($2) GROUP BY chapter_id`,
    [scene.organizationId, scene.people],
  );
  return Object.fromEntries(found.map(({ chapter_id, count }) => [chapter_id, count]));
}
