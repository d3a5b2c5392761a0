/**
 * Steps of the background process that follows a reference letter from request to receipt or expiry. The process keeps
 * its state only in the letter's row.
 */
import { lockForEditIfExists } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import type { LetterStatus } from '../vocabulary.js';
import { askReferee } from './askReferee.js';
import { closeLetter } from './closeLetter.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** Outcome of a step: the seconds until the next step, or the letter's final status. */
export type LetterStep = { seconds: number } | { over: Exclude<LetterStatus, 'requested'> };

/** Days after the request on which the referee is reminded. */
const REMINDER_DAYS = [7, 14];

interface LetterSchedule {
  is_over: boolean;
  /** Number of reminders due so far. */
  due: number;
  is_refused: boolean;
  /** Seconds until the next reminder or the expiry. */
  seconds: number;
}

/**
 * Does what is due for a letter: mails the request, mails a reminder, or closes the letter. A repeated call does not
 * send a mail again. If several reminders are due, only one mail is sent.
 * @throws RowMissing
 */
export async function followLetter(letterId: string): Promise<LetterStep> {
  const letter = await lockForEditIfExists(ReferenceLetter, letterId);
  if (!letter) throw new RowMissing('There is no such letter.');
  if (letter.status !== 'requested') return { over: letter.status };
  if (letter.asked_at === null) await askReferee(letter);
  const { is_over, is_refused, due, seconds } = await readSchedule(letterId);
  if (is_refused) return closeUnanswered(letter, 'undeliverable');
  if (is_over) return closeUnanswered(letter, 'expired');
  if (due > letter.reminders) await askReferee(letter, due);
  return { seconds };
}

/**
 * Reads what is due for a letter. A reminder is due on its day, unless the letter expires earlier. If a mail cannot be
 * delivered, a trigger wakes the process (`note_letter_mail.sql`).
 */
const readSchedule = (letterId: string): Promise<LetterSchedule> =>
  oneRow<LetterSchedule>(
    `SELECT l.expires_at <= now() AS is_over, coalesce(l.mail_outcome = 'refused', false) AS is_refused, marks.due,
            ceil(extract(epoch FROM least(l.expires_at, marks.next) - now()))::int AS seconds
       FROM pnm_reference_letters l
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE at <= now())::int AS due, min(at) FILTER (WHERE at > now()) AS next
          FROM (SELECT l.created_at + days * interval '1 day' AS at FROM unnest($3::int[]) days) reminder
         WHERE at < l.expires_at) marks
      WHERE l.organization_id = $1 AND l.id = $2`,
    [currentOrganization(), letterId, REMINDER_DAYS],
  );

/** Cancels a letter that is still requested, because its process is cancelled. */
export async function cancelRequestedLetter(letterId: string): Promise<void> {
  const letter = await lockForEditIfExists(ReferenceLetter, letterId);
  if (letter?.status === 'requested') await closeLetter(letter, 'cancelled');
}

async function closeUnanswered(letter: ReferenceLetter, status: 'undeliverable' | 'expired'): Promise<LetterStep> {
  await closeLetter(letter, status);
  await notify(notifications.pnm_letter_missing, [letter.id], { actor: null });
  return { over: status };
}
