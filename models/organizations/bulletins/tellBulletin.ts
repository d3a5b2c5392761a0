/** What the process of an edition does to its bulletin. */
import type { PublishBulletinOutcome } from '../../../workflows/contracts/publishBulletin.js';
import { changeRow, editRow, lockIfThere } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifyAudience } from '../../notifications/notifyAudience.js';
import { withdrawTold } from '../../notifications/fanouts/withdrawTold.js';
import { audiences } from '../audiences.js';
import { isActiveChapter } from '../chapters.js';
import { told } from '../notifications.js';
import { isStillDecided } from './readBulletins.js';
import { Bulletin, type BULLETIN_STATES } from './Bulletin.js';

/** How an edition stands for its process. `later`: its time was put off, and another process waits for that. */
export type BulletinStep = PublishBulletinOutcome | 'later';

interface Standing {
  state: (typeof BULLETIN_STATES)[number];
  seconds: number;
  /** Tells publications apart: whoever heard of one hears no more of its editions. */
  cause: string;
}

const readStanding = (id: string, edition: string): Promise<Standing | null> =>
  firstRow<Standing>(
    `SELECT CASE WHEN publish_at IS NULL THEN 'draft' WHEN expires_at <= now() THEN 'expired'
                 WHEN publish_at > now() THEN 'scheduled' ELSE 'published' END AS state,
            greatest(0, ceil(extract(epoch FROM publish_at - now())))::float8 AS seconds,
            'published:' || extract(epoch FROM publish_at) AS cause
       FROM bulletins WHERE organization_id = $1 AND id = $2 AND edition = $3::int AND told_edition < edition`,
    [currentOrganization(), id, edition],
  );

/** Seconds until an edition is to be told, by the database's clock; 0 of one that waits for nothing. */
export async function secondsUntilTold(id: string, edition: string): Promise<number> {
  const standing = await readStanding(id, edition);
  return standing?.state === 'scheduled' ? standing.seconds : 0;
}

/** Tells the people of an edition that is due, and notes it, in one transaction. Again tells nobody. */
export async function tellEdition(id: string, edition: string): Promise<BulletinStep> {
  const bulletin = await lockIfThere(Bulletin, id);
  const standing = bulletin && (await readStanding(id, edition));
  if (!standing) return 'called_off';
  if (standing.state === 'scheduled') return 'later';
  await changeRow(Bulletin, id, { told_edition: bulletin.edition });
  if (standing.state !== 'published') return 'called_off';
  const { chapter_id: chapter, region_id: region, author_id: actor } = bulletin;
  if (chapter && !(await isActiveChapter(chapter))) {
    // Suspended since: it says nothing, and what waited is a draft again.
    await editRow(bulletin, { publish_at: null });
    return 'called_off';
  }
  if (!(await isStillDecided(id))) {
    await editRow(bulletin, { publish_at: null, refusal: 'forbidden' });
    await notify(told.bulletin_refused, [id], { actor: null, cause: `refused:${edition}` });
    return 'refused';
  }
  const audience = chapter ? audiences.chapter : region ? audiences.region : audiences.everyone;
  const of = chapter ?? region ?? bulletin.organization_id;
  await notifyAudience(told.bulletin_published, id, audience, { of, actor, cause: standing.cause });
  return 'told';
}

/** Takes back the next of what people were told of other publications than the one that stands. @returns whether there is more */
export async function withdrawEarlier(id: string): Promise<boolean> {
  const standing = await firstRow<{ cause: string }>(
    `SELECT 'published:' || extract(epoch FROM publish_at) AS cause FROM bulletins
      WHERE organization_id = $1 AND id = $2 AND publish_at IS NOT NULL`,
    [currentOrganization(), id],
  );
  return withdrawTold(told.bulletin_published, id, standing?.cause ?? null);
}

/** For whoever ends the process of an edition: the bulletin is a draft again. @returns whether it waited */
export async function stopBulletin(id: string, edition: string): Promise<boolean> {
  const bulletin = await lockIfThere(Bulletin, id);
  const standing = bulletin && (await readStanding(id, edition));
  if (standing?.state !== 'scheduled') return false;
  await editRow(bulletin as Bulletin, { publish_at: null, told_edition: Number(edition) });
  return true;
}
