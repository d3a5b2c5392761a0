/** Closes open requests when the membership that they are about ends. */
import { lockForEdit } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { organizationsUpstream } from '../upstream.js';
import { HandOverRequest } from '../hand-over-requests/HandOverRequest.js';
import { handOverRequests } from '../hand-over-requests/kind.js';
import { cancelChangesOf } from '../lifecycle/cancelChanges.js';
import { statusChangeRequests } from '../status-change-requests/kind.js';
import { StatusChangeRequest } from '../status-change-requests/StatusChangeRequest.js';
import { transferRequests } from '../transfer-requests/kind.js';
import { TransferRequest } from '../transfer-requests/TransferRequest.js';
import { FORMER_STATUSES, hasLeftChapter, type MembershipStatus } from '../vocabulary.js';
import { withdrawRequest } from './decide.js';
import { type OpenRequest, openRequestsSql } from './openRequests.js';

/** A change of status that was made. */
export interface StatusMove {
  membership: string;
  from: MembershipStatus;
  to: MembershipStatus;
}

/** Reports whether the change ends a membership: the member leaves, or becomes one of the alumni. */
const endsMembership = ({ from, to }: StatusMove): boolean =>
  from !== to && (hasLeftChapter(to) || (FORMER_STATUSES.includes(to) && !FORMER_STATUSES.includes(from)));

/**
 * Closes the open requests about the memberships that these status changes end, in the caller's transaction. Every
 * operation that changes a status calls it. Payment plan requests of members who leave lapse as well. If a member is
 * disaffiliated, the scheduled changes are cancelled, so that they cannot readmit the member.
 * @param except the request whose approval makes the change; the caller closes it
 */
export async function endRequests(moves: readonly StatusMove[], except: string | null = null): Promise<void> {
  const ended = moves.filter(endsMembership);
  if (ended.length === 0) return;
  const openRequestRows = await rows<OpenRequest>(openRequestsSql('= ANY ($2)'), [
    currentOrganization(),
    ended.map(({ membership }) => membership),
  ]);
  for (const request of openRequestRows) if (request.id !== except) await withdrawOpenRequest(request);
  const membershipsOut = ended.filter(({ to }) => hasLeftChapter(to)).map(({ membership }) => membership);
  if (membershipsOut.length > 0) await organizationsUpstream().endPlanRequests(membershipsOut);
  for (const { membership, to } of ended) if (to === 'disaffiliated') await cancelChangesOf(membership);
}

async function withdrawOpenRequest({ id, kind }: OpenRequest): Promise<void> {
  if (kind === 'transfer') await withdrawRequest(transferRequests, await lockForEdit(TransferRequest, id));
  else if (kind === 'hand_over') await withdrawRequest(handOverRequests, await lockForEdit(HandOverRequest, id));
  else await withdrawRequest(statusChangeRequests, await lockForEdit(StatusChangeRequest, id));
}
