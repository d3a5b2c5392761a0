import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { intakeErrors } from '../errors.js';

/**
 * Returns the key by which names are compared: ignoring case, accents and separators.
 * @throws Refusal validation_error for a name without letters
 */
export function nameKey(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  if (!words) throw invalid('name', 'Must contain letters or digits.');
  return words.join(' ').slice(0, 200);
}

/**
 * Locks the name in the chapter: if two approvals of the name run at once, the second one waits and then finds the name
 * taken.
 */
export const lockName = (chapterId: string, key: string): Promise<unknown> =>
  rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 44))', [`${chapterId} ${key}`]);

/** Requires that no other person in the chapter has the name. @throws Refusal name_taken */
export async function requireNameFree(chapterId: string, profileId: string, key: string): Promise<void> {
  const other = await firstRow(
    `SELECT FROM pnm_name_assignments WHERE organization_id = $1 AND chapter_id = $2 AND name_key = $3 AND status = 'approved'
        AND profile_id <> $4 LIMIT 1`,
    [currentOrganization(), chapterId, key, profileId],
  );
  if (other) throw intakeErrors.name_taken();
}
