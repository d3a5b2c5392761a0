import { computed, editRow, lockForEdit, now } from '../../database/model/change.js';
import { dispatchTriggered } from '../../database/outbox.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { ReferenceLetter } from './ReferenceLetter.js';

/** SQL for the new expiry: the referee has at least 7 days to send another letter. */
const NEW_EXPIRY = `greatest(pnm_reference_letters.expires_at, now() + interval '7 days')`;

/**
 * Reopens a letter whose file is infected: the referee is mailed another link, and the earlier links stay valid. If the
 * application is already decided, the letter is cancelled instead.
 */
export async function refuseLetter(fileId: string): Promise<void> {
  // Locks the profile, so that the application cannot be decided meanwhile, which would close requested letters.
  const row = await firstRow<{ id: string; stage: string }>(
    `SELECT l.id, p.stage FROM pnm_reference_letters l JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = l.profile_id
      WHERE l.organization_id = $1 AND l.file_id = $2 FOR SHARE OF p`,
    [currentOrganization(), fileId],
  );
  if (!row) return;
  const letter = await lockForEdit(ReferenceLetter, row.id);
  if (letter.file_id !== fileId) return;
  const refused = { file_id: null, file_refused_at: now };
  if (row.stage !== 'not_started') return void (await editRow(letter, { ...refused, status: 'cancelled' }));
  const reopened = { status: 'requested', closed_at: null, asked_at: null, expires_at: computed(NEW_EXPIRY) } as const;
  await editRow(letter, { ...refused, ...reopened });
  await dispatchTriggered([`reference-letter/${letter.id}`]);
}
