import { currentScope } from '../../database/connection.js';
import { createRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { organizationsErrors } from '../errors.js';
import { isFutureDay } from '../lifecycle/scheduleChange.js';
import { ScheduledChange } from '../lifecycle/ScheduledChange.js';
import { lockMove, type Move } from './lockMove.js';
import { previewTransfer } from './previewTransfer.js';
import { transferMembership } from './transferMembership.js';

/** The new membership, or the change that is scheduled; the other one is null. */
export interface TransferResult {
  membership: string | null;
  scheduled: string | null;
}

/**
 * Transfers a member exactly as a preview showed it.
 * @throws Refusal preview_stale, and as `transferOrSchedule`
 */
export async function transferAsPreviewed(
  membershipId: string,
  toChapter: string,
  effectiveOn: string | undefined,
  previewHash: string,
): Promise<TransferResult> {
  const move = await lockMove(membershipId, toChapter);
  if ((await previewTransfer(move, effectiveOn)).preview_hash !== previewHash) throw refuse.preview_stale();
  return transferOrSchedule(move, effectiveOn);
}

/**
 * Transfers a member at once, or schedules the transfer for a later day, on which everything is checked again.
 * @param except the request whose approval makes the transfer
 * @throws Refusal transfer_in_progress, later_change_exists, change_scheduled, validation_error
 */
export async function transferOrSchedule(
  move: Move,
  effectiveOn: string | undefined,
  except: string | null = null,
): Promise<TransferResult> {
  await requireNoneScheduled(move.membership.id);
  if (effectiveOn === undefined || !(await isFutureDay(effectiveOn)))
    return { membership: await transferMembership(move, effectiveOn, except), scheduled: null };
  const { id } = await createRow(ScheduledChange, {
    membership_id: move.membership.id,
    to_chapter_id: move.toChapter,
    effective_on: effectiveOn,
    hand: 'organization',
    requested_by: currentScope().origin.userId,
  });
  return { membership: null, scheduled: id };
}

/** Requires that no transfer of the membership is scheduled. @throws Refusal transfer_in_progress */
export async function requireNoneScheduled(membershipId: string): Promise<void> {
  const scheduled = await firstRow(
    `SELECT FROM membership_scheduled_changes
      WHERE organization_id = $1 AND membership_id = $2 AND state = 'scheduled' AND to_chapter_id IS NOT NULL`,
    [currentOrganization(), membershipId],
  );
  if (scheduled) throw organizationsErrors.transfer_in_progress();
}
