import { inPlatform } from '../../database/tenancy.js';
import { oneRow } from '../../database/rows.js';
import { log } from '../../log.js';

/**
 * Erases what was uploaded and came to nothing, of all organizations, an import in a transaction. Run again, it erases the next.
 * @returns how many imports
 */
export async function forgetImports(most: number): Promise<number> {
  let imports = 0;
  while (imports < most && (await forgetNext())) imports += 1;
  if (imports > 0) log.info({ imports }, 'lines of imports that made nobody were erased');
  return imports;
}

const forgetNext = async (): Promise<boolean> =>
  (await inPlatform(() => oneRow<{ forgotten: boolean }>('SELECT app.forget_import() AS forgotten'))).forgotten;
