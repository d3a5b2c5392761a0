/** How an import goes from step to step, and how it ends. */
import {
  importStep as process,
  type ImportStep,
  type ImportStepOutcome,
} from '../../../workflows/contracts/importStep.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, computed, lockIfThere, lockRow, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { refuse, RowMissing } from '../../errors.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../holdsRight.js';
import { BulkImport, STEPS_FOR_PEOPLE, UNDOABLE, type WhyUnreadable } from './BulkImport.js';
import { importErrors } from './errors.js';

type Shown = ShownRow<typeof BulkImport>;

/** An import that people may work on. @throws Refusal not_found, import_ended, import_busy */
export async function lockOpenImport(id: string): Promise<BulkImport> {
  const found = await lockRow(BulkImport, id);
  if (found.outcome !== null) throw importErrors.import_ended();
  if (found.step !== null) throw importErrors.import_busy();
  return found;
}

/** Has a process do the step, in the open transaction. */
export async function beginStep(id: string, step: ImportStep, fields: Partial<BulkImport> = {}): Promise<Shown> {
  const begun = { ...fields, step, stopped_step: null, step_started_at: now, runs: computed('runs + 1'), line: 0 };
  const changed = await changeRow(BulkImport, id, begun);
  await enqueue(process, { importId: id, step, run: String(changed?.runs) });
  return readRow(BulkImport, id);
}

/** @throws Refusal not_found, import_ended, import_busy, import_not_ready */
export async function previewImport(id: string): Promise<Shown> {
  const { stage, mapping } = await lockOpenImport(id);
  if (stage === 'upload') throw importErrors.import_not_ready();
  if (mapping.email === undefined) throw importErrors.import_not_ready('Say first which column has the addresses.');
  return beginStep(id, 'preview', { preview_hash: null });
}

/** Confirms a preview. @throws Refusal not_found, import_ended, import_busy, preview_stale */
export async function processImport(
  id: string,
  previewHash: string,
  onExisting: NonNullable<BulkImport['on_existing']>,
): Promise<Shown> {
  const { preview_hash } = await lockOpenImport(id);
  if (preview_hash === null || preview_hash !== previewHash) throw refuse.preview_stale();
  const after = { on_existing: onExisting, preview_hash };
  await audit({ action: 'bulk_import.started', subjectType: 'bulk_import', subjectId: id, after });
  const started_by = currentScope().origin.userId;
  return beginStep(id, 'process', { stage: 'processing', on_existing: onExisting, started_by });
}

/** Ends an import where it stands, between two pages of it: what is done stays. @throws Refusal not_found, import_ended */
export async function cancelImport(id: string): Promise<Shown> {
  const { outcome, file_id } = await lockRow(BulkImport, id);
  if (outcome !== null) throw importErrors.import_ended();
  await end(id, { outcome: 'cancelled' }, file_id);
  await audit({ action: 'bulk_import.cancelled', subjectType: 'bulk_import', subjectId: id });
  return readRow(BulkImport, id);
}

/** Asks or tells whoever came by the import. @throws Refusal not_found, import_busy, import_not_ready */
export async function sendInvitations(id: string): Promise<Shown> {
  const { step, outcome, rows_created } = await lockRow(BulkImport, id);
  if (step !== null) throw importErrors.import_busy();
  if (outcome === null || outcome === 'undone' || rows_created === 0) throw importErrors.import_not_ready();
  await audit({ action: 'bulk_import.invitations_sent', subjectType: 'bulk_import', subjectId: id });
  return beginStep(id, 'send_invitations', { started_by: currentScope().origin.userId });
}

/** @throws Refusal not_found, import_busy, import_not_ready, import_not_undoable */
export async function undoImport(id: string): Promise<Shown> {
  const { step, outcome } = await lockRow(BulkImport, id);
  if (step !== null) throw importErrors.import_busy();
  if (outcome === null) throw importErrors.import_not_ready();
  const { open } = await oneRow<{ open: boolean }>(
    `SELECT outcome IN ('completed', 'completed_with_errors', 'cancelled', 'stopped_right_lost') AND ended_at + ${UNDOABLE} >= now() AS open
       FROM bulk_imports WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  if (!open) throw importErrors.import_not_undoable();
  await audit({ action: 'bulk_import.undone', subjectType: 'bulk_import', subjectId: id });
  return beginStep(id, 'undo', { undone_by: currentScope().origin.userId });
}

const OVER = { step: null, step_started_at: null };

/**
 * Stops a step of a held import where the person who asked for it has lost the right. What was done stays done. An import
 * that was being processed has ended then; otherwise another administrator may ask for the step again.
 * @returns whether it was stopped
 */
export async function stopWithoutRight(held: BulkImport): Promise<boolean> {
  const { id, file_id } = held;
  const step = STEPS_FOR_PEOPLE.find((name) => name === held.step);
  if (step === undefined) return false;
  const userId = step === 'undo' ? held.undone_by : held.started_by;
  if (await holdsRight({ userId, hand: 'organization' })) return false;
  if (step === 'process') await end(id, { outcome: STOPPED_RIGHT_LOST, stopped_step: step }, file_id);
  else await changeRow(BulkImport, id, { ...OVER, stopped_step: step });
  await audit({
    action: `bulk_import.${STOPPED_RIGHT_LOST}`,
    subjectType: 'bulk_import',
    subjectId: id,
    after: { stopped_step: step },
  });
  return true;
}

/** The file could not be read. Again changes nothing. */
export async function failImport(id: string, why: WhyUnreadable): Promise<void> {
  const found = await lockRow(BulkImport, id);
  const failed = { outcome: 'failed', failure: 'file_not_readable', failure_reason: why } as const;
  if (found.step === 'read') await end(id, failed, found.file_id);
}

async function end(id: string, how: Partial<BulkImport>, file: string | null) {
  await changeRow(BulkImport, id, { ...OVER, ...how, ended_at: now });
  await forgetFile(file);
}

/** The store is to forget it, and so is whoever could download it. */
export async function forgetFile(id: string | null): Promise<void> {
  if (id === null) return;
  await rows(`UPDATE stored_files SET status = 'removing', name = NULL WHERE organization_id = $1 AND id = $2`, [
    currentOrganization(),
    id,
  ]);
}

/**
 * Closes a step; closing it again, or one that was cancelled or has stopped, changes nothing.
 * @returns how it has ended
 * @throws RowMissing
 */
export async function finishStep(id: string, step: ImportStep, run: string): Promise<ImportStepOutcome> {
  const found = await lockIfThere(BulkImport, id);
  if (!found) throw new RowMissing('There is no such import.');
  const isThis = String(found.runs) === run;
  if (isThis && found.step === step) await closeStep(found, step);
  return isThis && found.stopped_step === step ? STOPPED_RIGHT_LOST : 'done';
}

async function closeStep({ id, rows_failed }: BulkImport, step: ImportStep): Promise<void> {
  if (step === 'preview') return finishPreview(id);
  if (step === 'undo') return void (await changeRow(BulkImport, id, { ...OVER, outcome: 'undone', undone_at: now }));
  if (step === 'process') {
    const outcome = rows_failed > 0 ? 'completed_with_errors' : 'completed';
    return void (await changeRow(BulkImport, id, { ...OVER, outcome, ended_at: now }));
  }
  await changeRow(BulkImport, id, OVER);
}

/** The hash is of what the lines would do, each of them. */
async function finishPreview(id: string): Promise<void> {
  const count = (outcome: string) => `count(*) FILTER (WHERE outcome = '${outcome}')::int AS rows_${outcome}`;
  const seen = await oneRow<Partial<BulkImport>>(
    `SELECT encode(sha256(convert_to(string_agg(concat_ws('|', line, outcome, email, chapter_id, membership_id, seen_version,
              given, changes), E'\\n' ORDER BY line), 'UTF8')), 'hex') AS preview_hash,
            ${['create', 'update', 'unchanged', 'error'].map(count).join(', ')}
       FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2`,
    [currentOrganization(), id],
  );
  await changeRow(BulkImport, id, { ...OVER, ...seen, stage: 'preview' });
}
