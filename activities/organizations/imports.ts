import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readTable } from '../../gateways/tables/readTable.js';
import { TableUnreadable } from '../../gateways/tables/table.js';
import { inStore } from '../../gateways/storage/inStore.js';
import { whole } from '../../gateways/storage/whole.js';
import { translateDatabaseError } from '../../models/database/constraints.js';
import { loadIfThere } from '../../models/database/model/read.js';
import { inTenant } from '../../models/database/tenancy.js';
import { Refusal } from '../../models/errors.js';
import { keyOf, type LocatedFile, locateFile } from '../../models/organizations/files/storedFiles.js';
import { BulkImport } from '../../models/organizations/imports/BulkImport.js';
import { inviteNextPeople } from '../../models/organizations/imports/inviteNextPeople.js';
import { PAGE } from '../../models/organizations/imports/lines.js';
import { previewNextLines } from '../../models/organizations/imports/previewNextLines.js';
import { failNextLine, processNextLines } from '../../models/organizations/imports/processNextLines.js';
import { fileToRead, finishReading, keepLines, keepTitles } from '../../models/organizations/imports/readImport.js';
import { failImport, finishStep } from '../../models/organizations/imports/steps.js';
import { keepLastLine, undoNextLines } from '../../models/organizations/imports/undoNextLines.js';
import type { ImportStepInput, ImportStepOutcome } from '../../workflows/contracts/importStep.js';

/** Reads the lines of the file into rows. A second run reads from the beginning and stores each line once. */
export const readImport = async ({ organizationId, importId }: ImportStepInput): Promise<void> => {
  const located = await inTenant(organizationId, () => locate(importId), { readOnly: true });
  if (located === null) return;
  const folder = await mkdtemp(path.join(tmpdir(), 'import-'));
  try {
    const file = path.join(folder, 'table');
    await download(organizationId, located, file);
    await keepAll(organizationId, importId, file);
  } catch (error) {
    if (!(error instanceof TableUnreadable)) throw error;
    const { reason } = error;
    await inTenant(organizationId, () => failImport(importId, reason));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Null, too, when the file was read completely: it was deleted with the last line. */
async function locate(importId: string): Promise<LocatedFile | null> {
  const id = await fileToRead(importId);
  return id === null ? null : locateFile(id);
}

const download = (organizationId: string, file: LocatedFile, to: string): Promise<void> =>
  inStore(file.place.store, async (store) => {
    const bytes = await store.get(keyOf(organizationId, file.id, file.place));
    await pipeline(whole(bytes, file), createWriteStream(to));
  });

async function keepAll(organizationId: string, importId: string, file: string): Promise<void> {
  let isFirst = true;
  for await (const batch of readTable(file)) {
    const lines = isFirst ? batch.slice(1) : batch;
    const titles = isFirst ? (batch[0]?.cells ?? []) : null;
    isFirst = false;
    if (titles && !(await inTenant(organizationId, () => keepTitles(importId, titles)))) return;
    if (lines.length > 0 && !(await inTenant(organizationId, () => keepLines(importId, lines)))) return;
  }
  await inTenant(organizationId, () => finishReading(importId));
}

const NEXT = { preview: previewNextLines, send_invitations: inviteNextPeople } as const;
/**
 * Steps that a constraint may refuse: how the next lines are processed, and what happens to a line that fails by
 * itself.
 */
const CHANGING = {
  process: { next: processNextLines, giveUp: failNextLine },
  undo: { next: undoNextLines, giveUp: keepLastLine },
} as const;

/** Processes one batch of lines in one transaction. @returns whether there may be more */
export async function takeLines(input: ImportStepInput): Promise<boolean> {
  const { organizationId, importId, step } = input;
  const held = await inTenant(organizationId, () => loadIfThere(BulkImport, importId), { readOnly: true });
  if (held?.step !== step || step === 'read') return false;
  const userId = step === 'undo' ? held.undone_by : held.started_by;
  const inTheirName = <T>(work: () => Promise<T>): Promise<T> =>
    inTenant(organizationId, work, { origin: { userId, requestId: null, ipAddress: null } });
  return step === 'process' || step === 'undo'
    ? changePage(importId, CHANGING[step], inTheirName)
    : inTheirName(() => NEXT[step](importId));
}

type InTheirName = <T>(work: () => Promise<T>) => Promise<T>;

/** A batch with a line that a constraint refuses is processed line by line. */
async function changePage(
  importId: string,
  { next, giveUp }: (typeof CHANGING)[keyof typeof CHANGING],
  inTheirName: InTheirName,
): Promise<boolean> {
  try {
    return (await inTheirName(() => next(importId))) === PAGE;
  } catch (error) {
    if (refusalOf(error) === null) throw error;
  }
  for (let lines = 0; lines < PAGE; lines += 1) {
    try {
      if ((await inTheirName(() => next(importId, 1))) === 0) return false;
    } catch (error) {
      const why = refusalOf(error);
      if (why === null) throw error;
      await inTheirName(() => giveUp(importId, why));
    }
  }
  return true;
}

/** Code of a permanent refusal; null for errors that a retry may resolve. */
function refusalOf(error: unknown): string | null {
  const code = error instanceof Refusal ? error.code : translateDatabaseError(error)?.code;
  return code === undefined || PASSING.has(code) ? null : code;
}

const PASSING = new Set(['conflict', 'locked', 'unavailable', 'busy']);

/** Closes the step. @returns how it has ended */
export const finishImportStep = ({
  organizationId,
  importId,
  step,
  run,
}: ImportStepInput): Promise<ImportStepOutcome> => inTenant(organizationId, () => finishStep(importId, step, run));
