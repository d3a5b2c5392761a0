/** What becomes of open requests when the membership that they are about ends. */
import { lockRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { aboveOrganizations } from '../above.js';
import { HandOverRequest } from '../hand-over-requests/HandOverRequest.js';
import { handOverRequests } from '../hand-over-requests/kind.js';
import { cancelChangesOf } from '../lifecycle/cancelChanges.js';
import { statusChangeRequests } from '../status-change-requests/kind.js';
import { StatusChangeRequest } from '../status-change-requests/StatusChangeRequest.js';
import { transferRequests } from '../transfer-requests/kind.js';
import { TransferRequest } from '../transfer-requests/TransferRequest.js';
import { FORMER_STATUSES, isOut, type MembershipStatus } from '../vocabulary.js';
import { withdrawRequest } from './decide.js';
import { type OpenRequest, openRequests } from './openRequests.js';

/** A change of status that was made. */
export interface StatusMove {
  membership: string;
  from: MembershipStatus;
  to: MembershipStatus;
}

/** Whether a membership ends with this change: the member is out, or has become one of the alumni. */
const ends = ({ from, to }: StatusMove): boolean =>
  from !== to && (isOut(to) || (FORMER_STATUSES.includes(to) && !FORMER_STATUSES.includes(from)));

/**
 * Closes the open requests about the memberships that these changes end, in the open transaction. Every operation that
 * changes a status calls it. A member who is out has no request to pay by instalments any more, either; what was
 * scheduled for a disaffiliated member is cancelled, so that its day does not bring them back.
 * @param except the request whose approval makes the change; the caller closes it
 */
export async function endRequests(moves: readonly StatusMove[], except: string | null = null): Promise<void> {
  const ended = moves.filter(ends);
  if (ended.length === 0) return;
  const waiting = await rows<OpenRequest>(openRequests('= ANY ($2)'), [
    currentOrganization(),
    ended.map(({ membership }) => membership),
  ]);
  for (const request of waiting) if (request.id !== except) await withdraw(request);
  const out = ended.filter(({ to }) => isOut(to)).map(({ membership }) => membership);
  if (out.length > 0) await aboveOrganizations().endPlanRequests(out);
  for (const { membership, to } of ended) if (to === 'disaffiliated') await cancelChangesOf(membership);
}

async function withdraw({ id, kind }: OpenRequest): Promise<void> {
  if (kind === 'transfer') await withdrawRequest(transferRequests, await lockRow(TransferRequest, id));
  else if (kind === 'hand_over') await withdrawRequest(handOverRequests, await lockRow(HandOverRequest, id));
  else await withdrawRequest(statusChangeRequests, await lockRow(StatusChangeRequest, id));
}
