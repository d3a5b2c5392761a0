/** Reads bulletins for their editors and for their audience. */
import { shownSql } from '../../database/model/read.js';
import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { type ShownRow } from '../../database/model/read.js';
import { refuse } from '../../errors.js';
import { Bulletin, STATE } from './Bulletin.js';

type BulletinRow = ShownRow<typeof Bulletin>;

/** SQL: whether the person who published or scheduled the bulletin may announce it now. */
const DECIDER_MAY_ANNOUNCE = `app.may_announce(bulletins.organization_id, bulletins.region_id, bulletins.chapter_id,
  coalesce(bulletins.decided_by, bulletins.author_id))`;

interface ManagedListRequest extends PageRequest {
  /** Lists only bulletins of these regions and chapters; null: all bulletins of the organization. */
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
    from: 'app.undismissed_bulletins($1, $2) visible',
    rows: { table: 'bulletins bulletins', key: 'bulletins.id' },
    key: 'visible.id',
    where: 'true',
    values: [currentOrganization(), userId],
    orderBy: '(visible.is_pinned, visible.publish_at) DESC',
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
  (await firstRow('SELECT FROM app.visible_bulletins($1, $3) b WHERE b.id = $2', [
    currentOrganization(),
    id,
    userId,
  ])) !== null;

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
