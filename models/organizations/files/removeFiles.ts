/** What the store is to forget, of all organizations. */
import { rows } from '../../database/rows.js';

export interface FileToRemove {
  organization_id: string;
  id: string;
}

/** Claims the next ones; whoever claims them again, after a crash, removes them again. */
export const filesToRemove = (most: number): Promise<FileToRemove[]> =>
  rows<FileToRemove>('SELECT * FROM app.files_to_remove($1)', [most]);

/** The store has forgotten them. */
export const forgetRemovedFiles = (ids: readonly string[]): Promise<unknown> =>
  rows('SELECT app.forget_removed_files($1)', [ids]);
