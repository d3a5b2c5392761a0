import { currentOrganization, rows } from '../../database/rows.js';

/** The profile follows its person to the membership of another chapter, in the place of the one that the trigger has made there. */
export async function moveToMembership(from: string, to: string): Promise<void> {
  const values = [currentOrganization(), from, to];
  await rows(
    `DELETE FROM pnm_profiles WHERE organization_id = $1 AND membership_id = $3
        AND EXISTS (SELECT FROM pnm_profiles old WHERE old.organization_id = $1 AND old.membership_id = $2)`,
    values,
  );
  await rows(
    `UPDATE pnm_profiles p SET membership_id = m.id, chapter_id = m.chapter_id FROM memberships m
      WHERE p.organization_id = $1 AND p.membership_id = $2 AND m.organization_id = $1 AND m.id = $3`,
    values,
  );
}
