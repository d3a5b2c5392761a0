/** Which migrations this code comes with: known without loading what runs them. */
import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Folder of the migrations. */
export const MIGRATIONS = path.join(__dirname, 'migrations');

/** Names of the migrations without their endings, oldest first. */
export const migrationNames = (): string[] =>
  readdirSync(MIGRATIONS)
    .filter((file) => /^\d.*\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => file.replace(/\.[jt]s$/, ''))
    .sort();
