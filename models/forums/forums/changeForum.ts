/** Creates, changes and deletes forums. */
import { createRow, type Edit, editRow, lockForEdit, type NewRow, removeRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow, rows } from '../../database/rows.js';
import { invalid, refuse } from '../../errors.js';
import { lockForum } from './forumAccess.js';
import { activateMember, lockPersonAndForum } from '../members/joinForum.js';
import { publishForumChange } from '../topics.js';
import { FORUM_VISIBILITIES } from '../vocabulary.js';
import { Forum } from './Forum.js';

/** Creates a forum. Its creator becomes its admin, unless they administer the platform only. */
export async function createForum(
  fields: NewRow<(typeof Forum)['definition']['columns']>,
  userId: string,
): Promise<string> {
  const { id, chapter_id, region_id } = await createRow(Forum, fields);
  await lockPersonAndForum(userId, id);
  const inScope = await firstRow('SELECT WHERE app.in_forum_scope($1, $2, $3, $4)', [
    currentOrganization(),
    userId,
    chapter_id,
    region_id,
  ]);
  if (inScope) await activateMember(id, userId, { role: 'admin' });
  return id;
}

/** Deletes a forum without posts, with its members and their notifications. @throws Refusal not_found, forum_not_empty */
export async function removeForum(id: string): Promise<void> {
  await lockForum(id);
  await rows(
    `UPDATE forum_memberships SET status = 'ended', status_since = now(), invitation_expires_at = NULL
      WHERE organization_id = $1 AND forum_id = $2 AND status IN ('active', 'invited', 'requested')`,
    [currentOrganization(), id],
  );
  await removeRow(Forum, id);
  publishForumChange(id);
}

/** A change that can end memberships or reading: another region, or a stricter visibility. */
type PlaceEdit = Pick<Edit<Forum>, 'visibility' | 'region_id'>;

/** Maximum number of members in a preview. */
const PREVIEW_MEMBERS = 500;

export interface ForumChangePreview {
  /** Members who lose their membership, at most 500. */
  ends: { user: string; first_name: string; last_name: string }[];
  ends_count: number;
  preview_hash: string;
}

/** SQL: member `m` of forum `f` loses the membership when the forum has region `$3`. */
const ENDS = `NOT app.keeps_forum_membership(m.organization_id, m.user_id, f.chapter_id, $3, m.by_invitation)`;
const memberships = (statuses: string): string => `forums f JOIN forum_memberships m
  ON m.organization_id = f.organization_id AND m.forum_id = f.id AND m.status IN (${statuses})`;

const targetOf = (forum: Forum, edit: PlaceEdit): Required<Pick<Forum, 'visibility' | 'region_id'>> => ({
  visibility: edit.visibility ?? forum.visibility,
  region_id: edit.region_id === undefined ? forum.region_id : edit.region_id,
});

/** Whether a change excludes people who read or are members now. */
function narrows(forum: Forum, edit: PlaceEdit): boolean {
  const to = targetOf(forum, edit);
  const strictness = (visibility: Forum['visibility']) => FORUM_VISIBILITIES.indexOf(visibility);
  return (
    (to.region_id !== null && to.region_id !== forum.region_id) ||
    strictness(to.visibility) > strictness(forum.visibility)
  );
}

/**
 * Previews which members a change of visibility or region excludes, and the hash to confirm it with. Changes nothing.
 * @param forum locked
 * @throws Refusal validation_error, stale_version
 */
export async function previewForumChange(forum: Forum, edit: PlaceEdit): Promise<ForumChangePreview> {
  const { region_id } = targetOf(forum, edit);
  await requireRegion(forum, region_id);
  const found = await oneRow<Pick<ForumChangePreview, 'ends' | 'ends_count'>>(
    `WITH ends AS (SELECT m.user_id, m.status_since, m.id FROM ${memberships("'active'")} WHERE f.organization_id = $1 AND f.id = $2 AND ${ENDS})
     SELECT (SELECT count(*)::int FROM ends) AS ends_count, (
       SELECT coalesce(json_agg(json_build_object('user', u.id, 'first_name', u.first_name, 'last_name', u.last_name)
                                ORDER BY e.status_since, e.id), '[]')
         FROM (SELECT * FROM ends ORDER BY status_since, id LIMIT ${PREVIEW_MEMBERS}) e JOIN users u ON u.id = e.user_id) AS ends`,
    [currentOrganization(), forum.id, region_id],
  );
  return { ...found, preview_hash: await hashOf(forum, edit) };
}

/** The hash of a change, of the forum's version, and of its active members. */
async function hashOf(forum: Forum, edit: PlaceEdit): Promise<string> {
  const { visibility, region_id } = targetOf(forum, edit);
  const { hash } = await oneRow<{ hash: string }>(
    `SELECT encode(sha256(convert_to(concat_ws('|', $2::text, $3::text, $4::text, coalesce($5::text, ''),
       (SELECT string_agg(m.user_id || m.by_invitation::text, ',' ORDER BY m.user_id) FROM forum_memberships m
         WHERE m.organization_id = $1 AND m.forum_id = $2::uuid AND m.status = 'active')), 'UTF8')), 'hex') AS hash`,
    [currentOrganization(), forum.id, forum.version, visibility, region_id],
  );
  return hash;
}

async function requireRegion(forum: Forum, regionId: string | null): Promise<void> {
  if (regionId === null || regionId === forum.region_id) return;
  if (forum.chapter_id !== null) throw invalid('region', 'A forum of a chapter has no region.');
  const found = await firstRow('SELECT FROM regions WHERE organization_id = $1 AND id = $2', [
    currentOrganization(),
    regionId,
  ]);
  if (found === null) throw invalid('region', 'There is no such region.');
}

/**
 * Changes a locked forum. A change that excludes people needs the hash of its preview, and ends exactly the previewed
 * memberships, and requests of people outside the new region.
 * @throws Refusal stale_version, preview_stale, validation_error
 */
export async function changeForum(forum: Forum, edit: Edit<Forum>, previewHash: string | undefined): Promise<void> {
  await requireRegion(forum, targetOf(forum, edit).region_id);
  const isNarrower = narrows(forum, edit);
  if (isNarrower) {
    if (previewHash === undefined)
      throw invalid('preview_hash', 'This change excludes people. Send it with dry_run first, then with preview_hash.');
    if (previewHash !== (await hashOf(forum, edit))) throw refuse.preview_stale();
  }
  const changed = await editRow(forum, edit);
  if (changed.includes('region_id'))
    await rows(
      `UPDATE forum_memberships e SET status = 'ended', status_since = now()
        WHERE e.organization_id = $1 AND e.id IN (
          SELECT m.id FROM ${memberships("'active', 'requested'")} WHERE f.organization_id = $1 AND f.id = $2 AND ${ENDS})`,
      [currentOrganization(), forum.id, forum.region_id],
    );
  if (isNarrower) await rows('SELECT app.withdraw_unseen_of_forum($1, $2)', [currentOrganization(), forum.id]);
  if (changed.length > 0) publishForumChange(forum.id);
}

/** Locks a forum for a change. @throws Refusal not_found */
export const lockForumRow = (id: string): Promise<Forum> => lockForEdit(Forum, id);
