/** Settlements of ended memberships. */
import { asOwner } from './owner.js';
import type { World } from './world.js';

/** Ends the member's membership, with a settlement that is due in some seconds. @returns the settlement's id */
export async function aWaitingSettlement(
  { organizationId, chapterId, member }: Pick<World, 'organizationId' | 'chapterId' | 'member'>,
  seconds: number,
): Promise<string> {
  await asOwner("UPDATE memberships SET status = 'alumni' WHERE id = $1", [member.membershipId]);
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO terminal_settlements (organization_id, chapter_id, membership_id, refunds_at)
     VALUES ($1, $2, $3, now() + $4 * interval '1 second') RETURNING id`,
    [organizationId, chapterId, member.membershipId, seconds],
  );
  return row?.id as string;
}
