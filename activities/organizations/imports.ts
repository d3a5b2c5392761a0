import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readTable } from '../../gateways/tables/readTable.js';
import { TableUnreadable } from '../../gateways/tables/table.js';
import { withStore } from '../../gateways/storage/withStore.js';
import { verifyChecksum } from '../../gateways/storage/verifyChecksum.js';
import { translateDatabaseError } from '../../models/database/constraints.js';
import { loadIfExists } from '../../models/database/model/read.js';
import { inTenant } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import { objectKey, type LocatedFile, locateFile } from '../../models/organizations/files/storedFiles.js';
import { BulkImport } from '../../models/organizations/imports/BulkImport.js';
import { inviteNextPeople } from '../../models/organizations/imports/inviteNextPeople.js';
import { BATCH_SIZE } from '../../models/organizations/imports/lines.js';
import { previewNextLines } from '../../models/organizations/imports/previewNextLines.js';
import { failNextLine, processNextLines } from '../../models/organizations/imports/processNextLines.js';
import {
  findFileToRead,
  finishReading,
  storeLines,
  storeTitles,
} from '../../models/organizations/imports/readImport.js';
import { failImport, finishStep } from '../../models/organizations/imports/steps.js';
import { skipLastLine, undoNextLines } from '../../models/organizations/imports/undoNextLines.js';
import type { ImportStepInput, ImportStepOutcome } from '../../workflows/contracts/importStep.js';

/** Reads the lines of the file into rows. A second run reads from the beginning and stores each line only once. */
export const readImport = async ({ organizationId, importId }: ImportStepInput): Promise<void> => {
  const located = await inTenant(organizationId, () => locate(importId), { readOnly: true });
  if (located === null) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'import-'));
  try {
    const file = path.join(folder, 'table');
    await download(organizationId, located, file);
    await storeTable(organizationId, importId, file);
  } catch (error) {
    if (!(error instanceof TableUnreadable)) throw error;
    const { reason } = error;
    await inTenant(organizationId, () => failImport(importId, reason));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Locates the uploaded file. Returns null if the file was read completely, because it is deleted with the last line.
 */
async function locate(importId: string): Promise<LocatedFile | null> {
  const id = await findFileToRead(importId);
  return id === null ? null : locateFile(id);
}

const download = (organizationId: string, file: LocatedFile, to: string): Promise<void> =>
  withStore(file.location.store, async (store) => {
    const bytes = await store.get(objectKey(organizationId, file.id, file.location));
    await pipeline(verifyChecksum(bytes, file), createWriteStream(to));
  });

async function storeTable(organizationId: string, importId: string, file: string): Promise<void> {
  let isFirst = true;
  for await (const batch of readTable(file)) {
    const lines = isFirst ? batch.slice(1) : batch;
    const titles = isFirst ? (batch[0]?.cells ?? []) : null;
    isFirst = false;
    if (titles && !(await inTenant(organizationId, () => storeTitles(importId, titles)))) return;
    if (lines.length > 0 && !(await inTenant(organizationId, () => storeLines(importId, lines)))) return;
  }
  await inTenant(organizationId, () => finishReading(importId));
}

const SAFE_STEPS = { preview: previewNextLines, send_invitations: inviteNextPeople } as const;
/**
 * The two steps in which a database constraint may refuse a line. `next` processes the next lines; `giveUp` closes a
 * line that fails even when it is processed alone.
 */
const REFUSABLE_STEPS = {
  process: { next: processNextLines, giveUp: failNextLine },
  undo: { next: undoNextLines, giveUp: skipLastLine },
} as const;

/**
 * Processes one batch of lines in one transaction.
 * @returns whether there may be more
 */
export async function takeLines(input: ImportStepInput): Promise<boolean> {
  const { organizationId, importId, step } = input;
  const bulkImport = await inTenant(organizationId, () => loadIfExists(BulkImport, importId), { readOnly: true });
  if (bulkImport?.step !== step || step === 'read') return false;
  const userId = step === 'undo' ? bulkImport.undone_by : bulkImport.started_by;
  const asRequester = <T>(work: () => Promise<T>): Promise<T> =>
    inTenant(organizationId, work, { origin: { userId, requestId: null, ipAddress: null } });
  return step === 'process' || step === 'undo'
    ? processBatch(importId, REFUSABLE_STEPS[step], asRequester)
    : asRequester(() => SAFE_STEPS[step](importId));
}

type RunAsRequester = <T>(work: () => Promise<T>) => Promise<T>;

/** Processes a batch. If a constraint refuses a line, the batch is processed line by line. */
async function processBatch(
  importId: string,
  { next, giveUp }: (typeof REFUSABLE_STEPS)[keyof typeof REFUSABLE_STEPS],
  asRequester: RunAsRequester,
): Promise<boolean> {
  try {
    return (await asRequester(() => next(importId))) === BATCH_SIZE;
  } catch (error) {
    if (refusalOf(error) === null) throw error;
  }
  for (let lines = 0; lines < BATCH_SIZE; lines += 1) {
    try {
      if ((await asRequester(() => next(importId, 1))) === 0) return false;
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === null) throw error;
      await asRequester(() => giveUp(importId, reason));
    }
  }
  return true;
}

/** Returns the code of a permanent refusal; null for errors that a retry may resolve. */
function refusalOf(error: unknown): string | null {
  const code = error instanceof Refusal ? error.code : translateDatabaseError(error)?.code;
  return code === undefined || TRANSIENT_CODES.has(code) ? null : code;
}

const TRANSIENT_CODES = new Set(['conflict', 'locked', 'unavailable', 'busy']);

/**
 * Closes the step.
 * @returns how the step ended
 */
export const finishImportStep = ({
  organizationId,
  importId,
  step,
  run,
}: ImportStepInput): Promise<ImportStepOutcome> => inTenant(organizationId, () => finishStep(importId, step, run));
