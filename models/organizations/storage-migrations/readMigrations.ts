import { readPage, readRow, type ShownRow } from '../../database/model/read.js';
import type { Page, PageRequest } from '../../database/page.js';
import { StorageMigration } from './StorageMigration.js';

type ShownMigration = ShownRow<typeof StorageMigration>;

/** Lists migrations, latest first. @throws Refusal page_not_found */
export const listMigrations = (page: PageRequest): Promise<Page<ShownMigration>> =>
  readPage(StorageMigration, { where: {}, orderBy: 'storage_migrations.created_at DESC', ...page });

/**
 * Reads a migration.
 * @throws Refusal not_found
 */
export const readMigration = (id: string): Promise<ShownMigration> => readRow(StorageMigration, id);
