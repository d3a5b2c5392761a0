import { lockRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { withdrawRequest } from '../../organizations/requests/decide.js';
import { nameAssignments } from './kind.js';
import { NameAssignment } from './NameAssignment.js';

/** What is proposed for a locked prospective member who is out, or goes to another chapter, waits for nobody any more. */
export async function withdrawNames(profileId: string): Promise<void> {
  const proposed = await rows<{ id: string }>(
    `SELECT id FROM pnm_name_assignments WHERE organization_id = $1 AND profile_id = $2 AND status = 'proposed'`,
    [currentOrganization(), profileId],
  );
  for (const { id } of proposed) await withdrawRequest(nameAssignments, await lockRow(NameAssignment, id));
}
