import { computed, editRow, lockRow, now } from '../../database/model/change.js';
import { dispatchTriggered } from '../../database/outbox.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** Whoever has sent it has at least so long for another. */
const AGAIN = `greatest(pnm_reference_letters.expires_at, now() + interval '7 days')`;

/**
 * A letter came as a file that is infected: whoever wrote it is asked once more, with the links that they have and another. Nobody
 * is once the application is decided.
 */
export async function refuseLetter(fileId: string): Promise<void> {
  // Nobody decides meanwhile: whoever does closes the letters that are waited for.
  const found = await firstRow<{ id: string; stage: string }>(
    `SELECT l.id, p.stage FROM pnm_reference_letters l JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = l.profile_id
      WHERE l.organization_id = $1 AND l.file_id = $2 FOR SHARE OF p`,
    [currentOrganization(), fileId],
  );
  if (!found) return;
  const letter = await lockRow(ReferenceLetter, found.id);
  if (letter.file_id !== fileId) return;
  const refused = { file_id: null, file_refused_at: now };
  if (found.stage !== 'not_started') return void (await editRow(letter, { ...refused, status: 'cancelled' }));
  const again = { status: 'requested', closed_at: null, asked_at: null, expires_at: computed(AGAIN) } as const;
  await editRow(letter, { ...refused, ...again });
  await dispatchTriggered([`reference-letter/${letter.id}`]);
}
