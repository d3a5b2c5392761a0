import { lockRow } from '../../database/model/change.js';
import { loadRow } from '../../database/model/read.js';
import { lockProspect } from '../pnm/moveProspect.js';
import { PnmApplication } from './PnmApplication.js';

/** Who came of it first: in the order in which whoever decides on them locks. @throws Refusal not_found */
export async function lockApplication(id: string): Promise<PnmApplication> {
  const { profile_id } = await loadRow(PnmApplication, id);
  if (profile_id !== null) await lockProspect(profile_id);
  return lockRow(PnmApplication, id);
}
