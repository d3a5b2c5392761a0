/** Bulletins as those read them who write them, and as those do for whom they are. */
import { shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { type ShownRow } from '../../database/model/read.js';
import { refuse } from '../../errors.js';
import { Bulletin, STATE } from './Bulletin.js';

type BulletinRow = ShownRow<typeof Bulletin>;

/** SQL: whether whoever had it go out may announce it at this moment. What people were told of is out, whatever becomes of them. */
const STILL_DECIDED = `app.may_announce(bulletins.organization_id, bulletins.region_id, bulletins.chapter_id,
  coalesce(bulletins.decided_by, bulletins.author_id))`;

/** SQL: whether what waited goes out at this moment, as its process asks before it tells anybody. */
const GOES_OUT = `(${STILL_DECIDED} AND (bulletins.chapter_id IS NULL OR EXISTS (SELECT FROM chapters c
  WHERE c.organization_id = bulletins.organization_id AND c.id = bulletins.chapter_id AND c.status = 'active')))`;

/**
 * SQL: whether a bulletin is for somebody to see now, by where they stand. In it the row goes by the table's name.
 * @param user SQL of whom
 */
export const isFor = (user: string): string => `(bulletins.publish_at <= now()
  AND (bulletins.expires_at IS NULL OR bulletins.expires_at > now())
  AND (bulletins.told_edition = bulletins.edition OR ${GOES_OUT})
  AND CASE bulletins.target_type
        WHEN 'organization' THEN true
        WHEN 'chapter' THEN EXISTS (SELECT FROM memberships m
          WHERE m.organization_id = bulletins.organization_id AND m.user_id = ${user}
            AND m.chapter_id = bulletins.chapter_id AND app.gives_access(m.status))
        ELSE EXISTS (SELECT FROM memberships m
          JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id
          WHERE m.organization_id = bulletins.organization_id AND m.user_id = ${user}
            AND c.region_id = bulletins.region_id AND app.gives_access(m.status))
          OR EXISTS (SELECT FROM regional_admins r
          WHERE r.organization_id = bulletins.organization_id AND r.user_id = ${user}
            AND r.region_id = bulletins.region_id AND r.is_active) END)`;

/** SQL: whether somebody has put it away. */
export const isDismissedBy = (user: string): string => `EXISTS (SELECT FROM bulletin_dismissals d
  WHERE d.organization_id = bulletins.organization_id AND d.bulletin_id = bulletins.id AND d.user_id = ${user})`;

interface Managed extends PageRequest {
  /** Null: every one of the organization. */
  within: { regions: string[]; chapters: string[] } | null;
  state: string | undefined;
}

/** Whatever its state, newest first. @throws Refusal page_not_found */
export const listManaged = ({ within, state, ...page }: Managed): Promise<Page<BulletinRow>> =>
  selectPage({
    from: 'bulletins bulletins',
    key: 'bulletins.id',
    where: `bulletins.organization_id = $1
      AND ($2::uuid[] IS NULL OR bulletins.region_id = ANY($2) OR bulletins.chapter_id = ANY($3::uuid[]))
      AND ($4::text IS NULL OR ${STATE} = $4)`,
    values: [currentOrganization(), within?.regions ?? null, within?.chapters ?? null, state ?? null],
    orderBy: 'bulletins.id DESC',
    select: shownSql(Bulletin),
    ...page,
  });

/** What is for somebody to see and they have not put away: pinned ones first, then the newest. @throws Refusal page_not_found */
export const listFor = (userId: string, page: PageRequest): Promise<Page<BulletinRow>> =>
  selectPage({
    from: 'bulletins bulletins',
    key: 'bulletins.id',
    where: `bulletins.organization_id = $1 AND ${isFor('$2::uuid')} AND NOT ${isDismissedBy('$2::uuid')}`,
    values: [currentOrganization(), userId],
    orderBy: '(bulletins.is_pinned, bulletins.publish_at) DESC',
    select: shownSql(Bulletin),
    ...page,
  });

/** Whether whoever had it go out may still announce it. */
export const isStillDecided = async (id: string): Promise<boolean> =>
  (await firstRow(`SELECT FROM bulletins WHERE organization_id = $1 AND id = $2 AND ${STILL_DECIDED}`, [
    currentOrganization(),
    id,
  ])) !== null;

/** Whether it is for this person to see, put away or not. */
export const maySee = async (id: string, userId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM bulletins WHERE bulletins.organization_id = $1 AND bulletins.id = $2 AND ${isFor('$3::uuid')}`,
    [currentOrganization(), id, userId],
  )) !== null;

/** Puts one away; again changes nothing. @throws Refusal not_found of one that is not for them to see */
export async function dismissBulletin(id: string, userId: string): Promise<void> {
  if (!(await maySee(id, userId))) throw refuse.not_found();
  await rows(
    'INSERT INTO bulletin_dismissals (organization_id, bulletin_id, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [currentOrganization(), id, userId],
  );
}

/** Brings it back; again changes nothing. @throws Refusal not_found of one that is not for them to see */
export async function bringBackBulletin(id: string, userId: string): Promise<void> {
  if (!(await maySee(id, userId))) throw refuse.not_found();
  await rows('DELETE FROM bulletin_dismissals WHERE organization_id = $1 AND bulletin_id = $2 AND user_id = $3', [
    currentOrganization(),
    id,
    userId,
  ]);
}
