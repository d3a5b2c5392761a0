/** What the store is to forget, of all organizations. */
import { rows } from '../../database/rows.js';

interface FileToRemove {
  organization_id: string;
  id: string;
  /** Null: it lies in the platform's store. */
  storage_config_id: string | null;
}

/** Claims the next ones of each store; whoever claims them again, after a crash, removes them again. */
export const filesToRemove = (most: number): Promise<FileToRemove[]> =>
  rows<FileToRemove>('SELECT * FROM app.files_leaving_stores($1)', [most]);

/** The store has forgotten them. */
export const forgetRemovedFiles = (ids: readonly string[]): Promise<unknown> =>
  rows('SELECT app.forget_removed_files($1)', [ids]);

/** Something that a file has left behind in a store. */
interface CopyToRemove extends FileToRemove {
  file_id: string;
}

/** Claims the next ones of each store, as above. */
export const copiesToRemove = (most: number): Promise<CopyToRemove[]> =>
  rows<CopyToRemove>('SELECT * FROM app.copies_leaving_stores($1)', [most]);

/** The stores have forgotten them. */
export const forgetRemovedCopies = (ids: readonly string[]): Promise<unknown> =>
  rows('SELECT app.forget_removed_copies($1)', [ids]);

/** Forgets stores that were left, once nothing lies in them. */
export const forgetLeftStores = (): Promise<unknown> => rows('SELECT app.forget_left_stores()');
