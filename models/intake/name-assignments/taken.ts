import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { invalid } from '../../errors.js';
import { intakeErrors } from '../errors.js';

/** The same name, however it is written: without case, accents, and what lies between words. @throws Refusal for one without letters */
export function nameKey(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  if (!words) throw invalid('name', 'Must have letters.');
  return words.join(' ').slice(0, 200);
}

/** Of two who approve the same name in a chapter, the second finds it taken. */
export const lockName = (chapterId: string, key: string): Promise<unknown> =>
  rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 44))', [`${chapterId} ${key}`]);

/** @throws Refusal name_taken where somebody else of the chapter has it */
export async function requireFree(chapterId: string, profileId: string, key: string): Promise<void> {
  const taken = await firstRow(
    `SELECT FROM pnm_name_assignments WHERE organization_id = $1 AND chapter_id = $2 AND name_key = $3 AND status = 'approved'
        AND profile_id <> $4 LIMIT 1`,
    [currentOrganization(), chapterId, key, profileId],
  );
  if (taken) throw intakeErrors.name_taken();
}
