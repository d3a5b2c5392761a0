import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { withdrawNames } from '../name-assignments/withdrawNames.js';

/**
 * Moves the intake profile to the person's membership in another chapter. It replaces the profile that a trigger has
 * created there.
 */
export async function moveProfile(from: string, to: string): Promise<void> {
  const values = [currentOrganization(), from];
  const profile = await firstRow<{ id: string }>(
    'SELECT id FROM pnm_profiles WHERE organization_id = $1 AND membership_id = $2 FOR NO KEY UPDATE',
    values,
  );
  if (!profile) return;
  await withdrawNames(profile.id);
  await rows('DELETE FROM pnm_profiles WHERE organization_id = $1 AND membership_id = $2', [currentOrganization(), to]);
  await rows(
    `UPDATE pnm_profiles p SET membership_id = m.id, chapter_id = m.chapter_id FROM memberships m
      WHERE p.organization_id = $1 AND p.membership_id = $2 AND m.organization_id = $1 AND m.id = $3`,
    [...values, to],
  );
}
