/**
 * The step that erases lines of imports that made nobody, and takes files out of the store. Run again, it removes what the first run claimed,
 * and then the next.
 */
import { store } from '../../gateways/storage/store.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { filesToRemove, forgetRemovedFiles } from '../../models/organizations/files/removeFiles.js';
import { forgetImports } from '../../models/organizations/imports/forgetImports.js';
import { keyOf } from '../../models/organizations/files/storedFiles.js';

const BATCH = 100;
/** Of up to 50,000 lines each. */
const IMPORTS = 10;

/** @returns whether there may be more. Rows go after the bytes, so that a crash forgets nothing. @throws StorageUnavailable */
export async function removeNextFiles(): Promise<boolean> {
  const areMore = (await forgetImports(IMPORTS)) === IMPORTS;
  const opened = store();
  if (!opened) return areMore;
  const files = await inPlatform(() => filesToRemove(BATCH));
  for (const { organization_id, id } of files) await opened.remove(keyOf(organization_id, id));
  if (files.length > 0) await inPlatform(() => forgetRemovedFiles(files.map(({ id }) => id)));
  return areMore || files.length === BATCH;
}
