import { lockForEdit } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { lockProspect } from '../pnm/moveProspect.js';
import { PnmApplication } from './PnmApplication.js';

/**
 * Locks the prospective member and then their application, in the order that decisions on applications use.
 * @throws Refusal not_found
 */
export async function lockApplication(id: string): Promise<PnmApplication> {
  const { profile_id } = await loadRow(PnmApplication, id);
  if (profile_id !== null) await lockProspect(profile_id);
  return lockForEdit(PnmApplication, id);
}
