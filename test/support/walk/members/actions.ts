/** Steps of several transactions, done as the processes do them. */
import { Refusal } from '../../../../models/errors.js';
import { applyNextChange } from '../../../../models/organizations/lifecycle/applyChanges.js';
import { completeRollover } from '../../../../models/organizations/rollovers/endRollover.js';
import { moveNextMembers } from '../../../../models/organizations/rollovers/moveNextMembers.js';
import { previewRollover } from '../../../../models/organizations/rollovers/previewRollover.js';
import { completeRevert, returnNextMembers } from '../../../../models/organizations/rollovers/returnNextMembers.js';
import { revertRollover } from '../../../../models/organizations/rollovers/revertRollover.js';
import { startRollover } from '../../../../models/organizations/rollovers/startRollover.js';
import { asOwner } from '../../owner.js';
import { day, type Scene } from './scene.js';

/** The day of a scheduled change has come. */
export async function letArrive({ organizationId, today }: Scene, membershipId: string, ahead: number): Promise<void> {
  await asOwner(
    `UPDATE membership_scheduled_changes SET effective_on = $3::date
      WHERE membership_id = $1 AND effective_on = $2::date AND state = 'scheduled'`,
    [membershipId, await day(ahead), today],
  );
  for (;;) {
    const more = await applyNextChange({ organizationId, day: today }).catch((error: unknown) => {
      // The process tries it again.
      if (error instanceof Refusal && error.code === 'transfer_in_progress') return true;
      throw error;
    });
    if (!more) return;
  }
}

export async function rollOver(scene: Scene): Promise<void> {
  const request = {
    academicYear: 2026,
    throughSeason: 'SUMMER',
    toStatus: 'alumni',
    chapters: null,
    except: [] as string[],
  } as const;
  const { preview_hash } = await scene.inTurn(() => previewRollover(request));
  const { id } = await scene.inTurn(() => startRollover(request, preview_hash));
  while (await scene.inTurn(() => moveNextMembers(id)));
  await scene.inTurn(() => completeRollover(id));
  scene.rolloverId = id;
}

export async function revert(scene: Scene): Promise<void> {
  const id = scene.rolloverId as string;
  scene.rolloverId = null;
  await scene.inTurn(() => revertRollover(id));
  while (await scene.inTurn(() => returnNextMembers(id)));
  await scene.inTurn(() => completeRevert(id));
}
