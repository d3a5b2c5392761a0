/** Finds and removes objects in storage, across all organizations. */
import { rows } from '../../database/rows.js';

interface FileToRemove {
  organization_id: string;
  id: string;
  /** The organization's storage that holds the object; null for the platform's storage. */
  storage_config_id: string | null;
}

/** Claims files to remove, at most `limit` from each storage. After a crash they can be claimed and removed again. */
export const claimFilesToRemove = (limit: number): Promise<FileToRemove[]> =>
  rows<FileToRemove>('SELECT * FROM app.files_leaving_stores($1)', [limit]);

/** Deletes the rows of files whose objects are removed. */
export const deleteRemovedFiles = (ids: readonly string[]): Promise<unknown> =>
  rows('SELECT app.forget_removed_files($1)', [ids]);

/** A copy of a file that is still in a storage from which the file was moved. */
interface CopyToRemove extends FileToRemove {
  file_id: string;
}

/** Claims copies to remove, at most `limit` from each storage. */
export const claimCopiesToRemove = (limit: number): Promise<CopyToRemove[]> =>
  rows<CopyToRemove>('SELECT * FROM app.copies_leaving_stores($1)', [limit]);

/** Deletes the rows of copies whose objects are removed. */
export const deleteRemovedCopies = (ids: readonly string[]): Promise<unknown> =>
  rows('SELECT app.forget_removed_copies($1)', [ids]);

/** Deletes configurations of abandoned storages that hold no objects any more. */
export const deleteAbandonedStores = (): Promise<unknown> => rows('SELECT app.forget_left_stores()');
