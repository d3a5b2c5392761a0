import { editRow, now, type Change } from '../../database/model/change.js';
import { dispatchTriggered } from '../../database/outbox.js';
import type { LetterStatus } from '../vocabulary.js';
import type { ReferenceLetter } from './ReferenceLetter.js';

/** Closes a locked letter. A trigger signals the letter's process, which then ends. */
export async function closeLetter(
  letter: ReferenceLetter,
  status: Exclude<LetterStatus, 'requested'>,
  more: Change<ReferenceLetter> = {},
): Promise<void> {
  await editRow(letter, { ...more, status, closed_at: now });
  await dispatchTriggered([`reference-letter/${letter.id}`]);
}
