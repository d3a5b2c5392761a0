/** Reads bulletins for their editors and for their audience. */
import { shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { type ShownRow } from '../../database/model/read.js';
import { refuse } from '../../errors.js';
import { Bulletin, STATE } from './Bulletin.js';

type BulletinRow = ShownRow<typeof Bulletin>;

/**
 * SQL: whether the person who published or scheduled the bulletin may announce it now. A bulletin that has been sent
 * stays published even if that person loses the right.
 */
const DECIDER_MAY_ANNOUNCE = `app.may_announce(bulletins.organization_id, bulletins.region_id, bulletins.chapter_id,
  coalesce(bulletins.decided_by, bulletins.author_id))`;

/** SQL: whether a due bulletin may be published now. Its workflow checks the same before it notifies anybody. */
const MAY_BE_PUBLISHED = `(${DECIDER_MAY_ANNOUNCE} AND (bulletins.chapter_id IS NULL OR EXISTS (SELECT FROM chapters c
  WHERE c.organization_id = bulletins.organization_id AND c.id = bulletins.chapter_id AND c.status = 'active')))`;

/**
 * SQL: whether a person can see the bulletin now. The surrounding query must name the row `bulletins`.
 * @param user SQL of the person's id
 */
export const isVisibleTo = (user: string): string => `(bulletins.publish_at <= now()
  AND (bulletins.expires_at IS NULL OR bulletins.expires_at > now())
  AND (bulletins.told_edition = bulletins.edition OR ${MAY_BE_PUBLISHED})
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

/** SQL: whether a person has dismissed the bulletin. */
export const isDismissedBy = (user: string): string => `EXISTS (SELECT FROM bulletin_dismissals d
  WHERE d.organization_id = bulletins.organization_id AND d.bulletin_id = bulletins.id AND d.user_id = ${user})`;

interface ManagedListRequest extends PageRequest {
  /** Null: all bulletins of the organization. */
  within: { regions: string[]; chapters: string[] } | null;
  state: string | undefined;
}

/** Lists bulletins in every state, newest first. @throws Refusal page_not_found */
export const listManagedBulletins = ({ within, state, ...page }: ManagedListRequest): Promise<Page<BulletinRow>> =>
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

/**
 * Lists the bulletins that a person can see and has not dismissed: pinned ones first, then the newest. @throws Refusal
 * page_not_found
 */
export const listVisibleBulletins = (userId: string, page: PageRequest): Promise<Page<BulletinRow>> =>
  selectPage({
    from: 'bulletins bulletins',
    key: 'bulletins.id',
    where: `bulletins.organization_id = $1 AND ${isVisibleTo('$2::uuid')} AND NOT ${isDismissedBy('$2::uuid')}`,
    values: [currentOrganization(), userId],
    orderBy: '(bulletins.is_pinned, bulletins.publish_at) DESC',
    select: shownSql(Bulletin),
    ...page,
  });

/** Reports whether the person who published or scheduled the bulletin may still announce it. */
export const mayDeciderAnnounce = async (id: string): Promise<boolean> =>
  (await firstRow(`SELECT FROM bulletins WHERE organization_id = $1 AND id = $2 AND ${DECIDER_MAY_ANNOUNCE}`, [
    currentOrganization(),
    id,
  ])) !== null;

/** Reports whether a person can see the bulletin, dismissed or not. */
export const canSeeBulletin = async (id: string, userId: string): Promise<boolean> =>
  (await firstRow(
    `SELECT FROM bulletins WHERE bulletins.organization_id = $1 AND bulletins.id = $2 AND ${isVisibleTo('$3::uuid')}`,
    [currentOrganization(), id, userId],
  )) !== null;

/** Dismisses a bulletin; repeating it changes nothing. @throws Refusal not_found if the person cannot see it */
export async function dismissBulletin(id: string, userId: string): Promise<void> {
  if (!(await canSeeBulletin(id, userId))) throw refuse.not_found();
  await rows(
    'INSERT INTO bulletin_dismissals (organization_id, bulletin_id, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [currentOrganization(), id, userId],
  );
}

/** Undoes a dismissal; repeating it changes nothing. @throws Refusal not_found if the person cannot see it */
export async function restoreBulletin(id: string, userId: string): Promise<void> {
  if (!(await canSeeBulletin(id, userId))) throw refuse.not_found();
  await rows('DELETE FROM bulletin_dismissals WHERE organization_id = $1 AND bulletin_id = $2 AND user_id = $3', [
    currentOrganization(),
    id,
    userId,
  ]);
}
