import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { withdrawRequest } from '../../organizations/requests/decide.js';
import { nameAssignments } from './kind.js';
import { NameAssignment } from './NameAssignment.js';

/** Withdraws the open name proposals of a locked prospective member who leaves the intake or changes chapter. */
export async function withdrawNames(profileId: string): Promise<void> {
  const proposals = await rows<{ id: string }>(
    `SELECT id FROM pnm_name_assignments WHERE organization_id = $1 AND profile_id = $2 AND status = 'proposed'`,
    [currentOrganization(), profileId],
  );
  for (const { id } of proposals) await withdrawRequest(nameAssignments, await lockForEdit(NameAssignment, id));
}
