import { inPlatform } from '../../database/tenancy.js';
import { oneRow } from '../../database/rows.js';
import { log } from '../../log.js';

/**
 * Erases lines of old imports that created no member, in all organizations, one import per transaction. A further run
 * erases the next ones.
 * @returns how many imports
 */
export async function eraseStaleImports(limit: number): Promise<number> {
  let imports = 0;
  while (imports < limit && (await eraseNextImport())) imports += 1;
  if (imports > 0) log.info({ imports }, 'erased import lines that created no member');
  return imports;
}

const eraseNextImport = async (): Promise<boolean> =>
  (await inPlatform(() => oneRow<{ forgotten: boolean }>('SELECT app.forget_import() AS forgotten'))).forgotten;
