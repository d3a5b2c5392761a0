/** What a letter's process does whenever it wakes: the row says all of it. */
import { lockIfThere } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';
import type { LetterStatus } from '../vocabulary.js';
import { askReferee } from './askReferee.js';
import { closeLetter } from './closeLetter.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** A letter as its process goes on: until the next moment at which there is something to do, or over. */
export type LetterStep = { seconds: number } | { over: Exclude<LetterStatus, 'requested'> };

/** Days after which whoever was asked is reminded. */
const REMINDED_AFTER_DAYS = [7, 14];

interface Moments {
  is_over: boolean;
  /** How many reminders are due by now. */
  due: number;
  is_refused: boolean;
  /** To whatever comes next. */
  seconds: number;
}

/**
 * Asks, reminds and gives up, each once: run again, it finds that it is done. A reminder that nobody sent in time is one with
 * the next.
 * @throws RowMissing
 */
export async function followLetter(letterId: string): Promise<LetterStep> {
  const letter = await lockIfThere(ReferenceLetter, letterId);
  if (!letter) throw new RowMissing('There is no such letter.');
  if (letter.status !== 'requested') return { over: letter.status };
  if (letter.asked_at === null) await askReferee(letter);
  const { is_over, is_refused, due, seconds } = await momentsOf(letterId);
  if (is_refused) return giveUp(letter, 'undeliverable');
  if (is_over) return giveUp(letter, 'expired');
  if (due > letter.reminders) await askReferee(letter, due);
  return { seconds };
}

/** Reminders are due at their days, as far as those lie before the end. A mail that nobody takes wakes the process (`note_letter_mail.sql`). */
const momentsOf = (letterId: string): Promise<Moments> =>
  oneRow<Moments>(
    `SELECT l.expires_at <= now() AS is_over, coalesce(l.mail_outcome = 'refused', false) AS is_refused, marks.due,
            ceil(extract(epoch FROM least(l.expires_at, marks.next) - now()))::int AS seconds
       FROM pnm_reference_letters l
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE at <= now())::int AS due, min(at) FILTER (WHERE at > now()) AS next
          FROM (SELECT l.created_at + days * interval '1 day' AS at FROM unnest($3::int[]) days) reminder
         WHERE at < l.expires_at) marks
      WHERE l.organization_id = $1 AND l.id = $2`,
    [currentOrganization(), letterId, REMINDED_AFTER_DAYS],
  );

/** What cancelling its process does: nobody waits for the letter any more. */
export async function callLetterOff(letterId: string): Promise<void> {
  const letter = await lockIfThere(ReferenceLetter, letterId);
  if (letter?.status === 'requested') await closeLetter(letter, 'cancelled');
}

async function giveUp(letter: ReferenceLetter, status: 'undeliverable' | 'expired'): Promise<LetterStep> {
  await closeLetter(letter, status);
  await notify(told.pnm_letter_missing, [letter.id], { actor: null });
  return { over: status };
}
