/** Steps of the workflow that publishes one edition of a bulletin. */
import type { PublishBulletinOutcome } from '../../../workflows/contracts/publishBulletin.js';
import { changeRow, editRow, lockForEditIfExists } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { notifyAudience } from '../../notifications/notifyAudience.js';
import { withdrawNotifications } from '../../notifications/fanouts/withdrawNotifications.js';
import { audiences } from '../audiences.js';
import { isActiveChapter } from '../chapters.js';
import { notifications } from '../notifications.js';
import { mayDeciderAnnounce } from './readBulletins.js';
import { Bulletin, type BULLETIN_STATES } from './Bulletin.js';

/** The result of one step. `later`: the publication time was moved, and another workflow waits for it. */
export type BulletinStep = PublishBulletinOutcome | 'later';

interface EditionState {
  state: (typeof BULLETIN_STATES)[number];
  seconds: number;
  /** Identifies a publication. A person who was notified of it is not notified again for its later editions. */
  cause: string;
}

const readEditionState = (id: string, edition: string): Promise<EditionState | null> =>
  firstRow<EditionState>(
    `SELECT CASE WHEN publish_at IS NULL THEN 'draft' WHEN expires_at <= now() THEN 'expired'
                 WHEN publish_at > now() THEN 'scheduled' ELSE 'published' END AS state,
            greatest(0, ceil(extract(epoch FROM publish_at - now())))::float8 AS seconds,
            'published:' || extract(epoch FROM publish_at) AS cause
       FROM bulletins WHERE organization_id = $1 AND id = $2 AND edition = $3::int AND told_edition < edition`,
    [currentOrganization(), id, edition],
  );

/** Returns the seconds until an edition is due, by the database's clock; 0 if it is not scheduled. */
export async function secondsUntilDue(id: string, edition: string): Promise<number> {
  const current = await readEditionState(id, edition);
  return current?.state === 'scheduled' ? current.seconds : 0;
}

/** Notifies the audience of an edition that is due and records it, in one transaction. Repeating it changes nothing. */
export async function publishEdition(id: string, edition: string): Promise<BulletinStep> {
  const bulletin = await lockForEditIfExists(Bulletin, id);
  const due = bulletin && (await readEditionState(id, edition));
  if (!due) return 'called_off';
  if (due.state === 'scheduled') return 'later';
  await changeRow(Bulletin, id, { told_edition: bulletin.edition });
  if (due.state !== 'published') return 'called_off';
  const { chapter_id: chapter, region_id: region, author_id: actor } = bulletin;
  if (chapter && !(await isActiveChapter(chapter))) {
    // The chapter was suspended after the bulletin was scheduled, so the bulletin becomes a draft again.
    await editRow(bulletin, { publish_at: null });
    return 'called_off';
  }
  if (!(await mayDeciderAnnounce(id))) {
    await editRow(bulletin, { publish_at: null, refusal: 'forbidden' });
    await notify(notifications.bulletin_refused, [id], { actor: null, cause: `refused:${edition}` });
    return 'refused';
  }
  const audience = chapter ? audiences.chapter : region ? audiences.region : audiences.everyone;
  const audienceId = chapter ?? region ?? bulletin.organization_id;
  await notifyAudience(notifications.bulletin_published, id, audience, { of: audienceId, actor, cause: due.cause });
  return 'told';
}

/**
 * Withdraws the next batch of notifications that were sent for earlier publications of the bulletin.
 * @returns whether there is more
 */
export async function withdrawEarlierNotifications(id: string): Promise<boolean> {
  const current = await firstRow<{ cause: string }>(
    `SELECT 'published:' || extract(epoch FROM publish_at) AS cause FROM bulletins
      WHERE organization_id = $1 AND id = $2 AND publish_at IS NOT NULL`,
    [currentOrganization(), id],
  );
  return withdrawNotifications(notifications.bulletin_published, id, current?.cause ?? null);
}

/**
 * Turns a scheduled bulletin back into a draft, when an operator ends the workflow that would publish this edition.
 * @returns whether the bulletin was scheduled
 */
export async function stopBulletin(id: string, edition: string): Promise<boolean> {
  const bulletin = await lockForEditIfExists(Bulletin, id);
  const waiting = bulletin && (await readEditionState(id, edition));
  if (waiting?.state !== 'scheduled') return false;
  await editRow(bulletin as Bulletin, { publish_at: null, told_edition: Number(edition) });
  return true;
}
