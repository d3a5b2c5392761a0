/** Moves an import from step to step and ends it. */
import {
  importStep as process,
  type ImportStep,
  type ImportStepOutcome,
} from '../../../workflows/contracts/importStep.js';
import { audit } from '../../database/audit.js';
import { currentScope } from '../../database/connection.js';
import { changeRow, computed, lockForEditIfExists, lockForEdit, now } from '../../database/model/change.js';
import { readRow, type ShownRow } from '../../database/model/read.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { refuse, RowMissing } from '../../errors.js';
import { holdsRight, STOPPED_RIGHT_LOST } from '../holdsRight.js';
import { BulkImport, STEPS_FOR_PEOPLE, UNDO_WINDOW, type UnreadableReason } from './BulkImport.js';
import { importErrors } from './errors.js';

type ShownImport = ShownRow<typeof BulkImport>;

/** Locks an import that is not ended and has no running step. @throws Refusal not_found, import_ended, import_busy */
export async function lockOpenImport(id: string): Promise<BulkImport> {
  const bulkImport = await lockForEdit(BulkImport, id);
  if (bulkImport.outcome !== null) throw importErrors.import_ended();
  if (bulkImport.step !== null) throw importErrors.import_busy();
  return bulkImport;
}

/** Starts a step, which a workflow carries out after the caller's transaction commits. */
export async function beginStep(id: string, step: ImportStep, fields: Partial<BulkImport> = {}): Promise<ShownImport> {
  const stepFields = { ...fields, step, stopped_step: null, step_started_at: now, runs: computed('runs + 1'), line: 0 };
  const changed = await changeRow(BulkImport, id, stepFields);
  await enqueue(process, { importId: id, step, run: String(changed?.runs) });
  return readRow(BulkImport, id);
}

/**
 * Starts the preview of an import.
 * @throws Refusal not_found, import_ended, import_busy, import_not_ready
 */
export async function previewImport(id: string): Promise<ShownImport> {
  const { stage, mapping } = await lockOpenImport(id);
  if (stage === 'upload') throw importErrors.import_not_ready();
  if (mapping.email === undefined)
    throw importErrors.import_not_ready('First map the column that has the email addresses.');
  return beginStep(id, 'preview', { preview_hash: null });
}

/**
 * Confirms a preview and starts the step that applies it.
 * @throws Refusal not_found, import_ended, import_busy, preview_stale
 */
export async function processImport(
  id: string,
  previewHash: string,
  onExisting: NonNullable<BulkImport['on_existing']>,
): Promise<ShownImport> {
  const { preview_hash } = await lockOpenImport(id);
  if (preview_hash === null || preview_hash !== previewHash) throw refuse.preview_stale();
  const after = { on_existing: onExisting, preview_hash };
  await audit({ action: 'bulk_import.started', subjectType: 'bulk_import', subjectId: id, after });
  const started_by = currentScope().origin.userId;
  return beginStep(id, 'process', { stage: 'processing', on_existing: onExisting, started_by });
}

/** Ends an import at once, between two batches; changes already made stay. @throws Refusal not_found, import_ended */
export async function cancelImport(id: string): Promise<ShownImport> {
  const { outcome, file_id } = await lockForEdit(BulkImport, id);
  if (outcome !== null) throw importErrors.import_ended();
  await end(id, { outcome: 'cancelled' }, file_id);
  await audit({ action: 'bulk_import.cancelled', subjectType: 'bulk_import', subjectId: id });
  return readRow(BulkImport, id);
}

/**
 * Starts inviting or notifying the people whom the import added. @throws Refusal not_found, import_busy,
 * import_not_ready
 */
export async function sendInvitations(id: string): Promise<ShownImport> {
  const { step, outcome, rows_created } = await lockForEdit(BulkImport, id);
  if (step !== null) throw importErrors.import_busy();
  if (outcome === null || outcome === 'undone' || rows_created === 0) throw importErrors.import_not_ready();
  await audit({ action: 'bulk_import.invitations_sent', subjectType: 'bulk_import', subjectId: id });
  return beginStep(id, 'send_invitations', { started_by: currentScope().origin.userId });
}

/**
 * Starts the step that undoes an import.
 * @throws Refusal not_found, import_busy, import_not_ready, import_not_undoable
 */
export async function undoImport(id: string): Promise<ShownImport> {
  const { step, outcome } = await lockForEdit(BulkImport, id);
  if (step !== null) throw importErrors.import_busy();
  if (outcome === null) throw importErrors.import_not_ready();
  const { open } = await oneRow<{ open: boolean }>(
    `SELECT outcome IN ('completed', 'completed_with_errors', 'cancelled', 'stopped_right_lost') AND ended_at + ${UNDO_WINDOW} >= now() AS open
       FROM bulk_imports WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  if (!open) throw importErrors.import_not_undoable();
  await audit({ action: 'bulk_import.undone', subjectType: 'bulk_import', subjectId: id });
  return beginStep(id, 'undo', { undone_by: currentScope().origin.userId });
}

const NO_STEP = { step: null, step_started_at: null };

/**
 * Stops a step of a locked import if the person who started it has lost the right. Changes already made stay. An import
 * that was being processed ends; otherwise another administrator may start the step again.
 * @returns whether it was stopped
 */
export async function stopWithoutRight(bulkImport: BulkImport): Promise<boolean> {
  const { id, file_id } = bulkImport;
  const step = STEPS_FOR_PEOPLE.find((name) => name === bulkImport.step);
  if (step === undefined) return false;
  const userId = step === 'undo' ? bulkImport.undone_by : bulkImport.started_by;
  if (await holdsRight({ userId, authority: 'organization' })) return false;
  if (step === 'process') await end(id, { outcome: STOPPED_RIGHT_LOST, stopped_step: step }, file_id);
  else await changeRow(BulkImport, id, { ...NO_STEP, stopped_step: step });
  await audit({
    action: `bulk_import.${STOPPED_RIGHT_LOST}`,
    subjectType: 'bulk_import',
    subjectId: id,
    after: { stopped_step: step },
  });
  return true;
}

/** Ends an import whose file could not be read. Repeating it changes nothing. */
export async function failImport(id: string, why: UnreadableReason): Promise<void> {
  const bulkImport = await lockForEdit(BulkImport, id);
  const failed = { outcome: 'failed', failure: 'file_not_readable', failure_reason: why } as const;
  if (bulkImport.step === 'read') await end(id, failed, bulkImport.file_id);
}

async function end(id: string, fields: Partial<BulkImport>, file: string | null) {
  await changeRow(BulkImport, id, { ...NO_STEP, ...fields, ended_at: now });
  await removeImportFile(file);
}

/** Removes the file of an import. It can no longer be downloaded, and the sweep deletes it from storage. */
export async function removeImportFile(id: string | null): Promise<void> {
  if (id === null) return;
  await rows(`UPDATE stored_files SET status = 'removing', name = NULL WHERE organization_id = $1 AND id = $2`, [
    currentOrganization(),
    id,
  ]);
}

/**
 * Ends a step. It changes nothing if the step has already ended, or was cancelled or stopped.
 * @returns the outcome of the step
 * @throws RowMissing
 */
export async function finishStep(id: string, step: ImportStep, run: string): Promise<ImportStepOutcome> {
  const bulkImport = await lockForEditIfExists(BulkImport, id);
  if (!bulkImport) throw new RowMissing('The import does not exist.');
  const isCurrentRun = String(bulkImport.runs) === run;
  if (isCurrentRun && bulkImport.step === step) await closeStep(bulkImport, step);
  return isCurrentRun && bulkImport.stopped_step === step ? STOPPED_RIGHT_LOST : 'done';
}

async function closeStep({ id, rows_failed }: BulkImport, step: ImportStep): Promise<void> {
  if (step === 'preview') return finishPreview(id);
  if (step === 'undo') return void (await changeRow(BulkImport, id, { ...NO_STEP, outcome: 'undone', undone_at: now }));
  if (step === 'process') {
    const outcome = rows_failed > 0 ? 'completed_with_errors' : 'completed';
    return void (await changeRow(BulkImport, id, { ...NO_STEP, outcome, ended_at: now }));
  }
  await changeRow(BulkImport, id, NO_STEP);
}

/** Stores the preview's totals, and a hash over the planned result of every line. */
async function finishPreview(id: string): Promise<void> {
  const count = (outcome: string) => `count(*) FILTER (WHERE outcome = '${outcome}')::int AS rows_${outcome}`;
  const preview = await oneRow<Partial<BulkImport>>(
    `SELECT encode(sha256(convert_to(string_agg(concat_ws('|', line, outcome, email, chapter_id, membership_id, seen_version,
              given, changes), E'\\n' ORDER BY line), 'UTF8')), 'hex') AS preview_hash,
            ${['create', 'update', 'unchanged', 'error'].map(count).join(', ')}
       FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2`,
    [currentOrganization(), id],
  );
  await changeRow(BulkImport, id, { ...NO_STEP, ...preview, stage: 'preview' });
}
