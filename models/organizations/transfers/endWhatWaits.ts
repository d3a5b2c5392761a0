import { lockRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { HandOverRequest } from '../hand-over-requests/HandOverRequest.js';
import { handOverRequests } from '../hand-over-requests/kind.js';
import { cancelChangesOf } from '../lifecycle/scheduleChange.js';
import { withdrawRequest } from '../requests/decide.js';
import { statusChangeRequests } from '../status-change-requests/kind.js';
import { StatusChangeRequest } from '../status-change-requests/StatusChangeRequest.js';
import { transferRequests } from '../transfer-requests/kind.js';
import { TransferRequest } from '../transfer-requests/TransferRequest.js';

/** What the person whose membership this is has asked, or others of it, and waits. */
export const REQUESTS = `
  SELECT id, 'status_change' AS kind FROM status_change_requests
   WHERE organization_id = $1 AND membership_id = $2 AND status IN ('pending_officer', 'pending_organization')
  UNION ALL
  SELECT id, 'transfer' FROM transfer_requests
   WHERE organization_id = $1 AND membership_id = $2 AND status IN ('pending_destination', 'pending_organization')
  UNION ALL
  SELECT r.id, 'hand_over' FROM hand_over_requests r
    JOIN officer_terms t ON t.organization_id = r.organization_id AND t.id = r.term_id
   WHERE r.organization_id = $1 AND r.status = 'pending' AND $2 IN (t.membership_id, r.successor_id)
  ORDER BY kind, id`;

/**
 * Takes back what waits for a locked membership that its person leaves.
 * @param except the request by whose approval they leave
 */
export async function endWhatWaits(membershipId: string, except: string | null): Promise<void> {
  await cancelChangesOf(membershipId);
  const waiting = await rows<{ id: string; kind: string }>(REQUESTS, [currentOrganization(), membershipId]);
  for (const { id, kind } of waiting) {
    if (id === except) continue;
    if (kind === 'transfer') await withdrawRequest(transferRequests, await lockRow(TransferRequest, id));
    else if (kind === 'hand_over') await withdrawRequest(handOverRequests, await lockRow(HandOverRequest, id));
    else await withdrawRequest(statusChangeRequests, await lockRow(StatusChangeRequest, id));
  }
}
