/** Members who transfer to another chapter, become alumni, come back or delete their account. */
import { oneRow, rows } from '../../../../models/database/rows.js';
import { moveCredit } from '../../../../models/finances/credit/moveCredit.js';
import type { Payer } from '../../../../models/finances/credit/payer.js';
import { endMemberAccounts } from '../../../../models/finances/terminal-settlements/endMemberAccounts.js';
import { followSettlement } from '../../../../models/finances/terminal-settlements/followSettlement.js';
import { eraseInOrganization } from '../../../../models/identity/deletion/eraseInOrganization.js';
import type { AccountStage, Does } from './stage.js';

export const moving: Does<'move' | 'end membership' | 'come back' | 'follow settlement' | 'leave'> = {
  move: (stage, { payer }) => move(stage, payer),
  'end membership': (stage, { payer }) => endMembership(stage.payer(payer)),
  'come back': (stage, { payer }) => setStatus(stage.payer(payer), 'undergrad'),
  'follow settlement': (stage, { pick }) => lookAtSettlement(stage, pick),
  leave: (stage, { payer }) => leave(stage, stage.members[payer]?.userId as string),
};

/** A member transfers to another chapter, or back: the credit moves too. */
async function move(stage: AccountStage, n: number): Promise<void> {
  const now = stage.payer(n);
  const to = stage.places.get(n)?.before ?? (await placeElsewhere(stage, now));
  await moveCredit(now.membershipId as string, to.membershipId as string);
  stage.places.set(n, { now: to, before: now });
}

async function placeElsewhere(stage: AccountStage, { membershipId }: Payer): Promise<Payer> {
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, role, status)
     SELECT organization_id, user_id, $2, 'member', status FROM memberships WHERE id = $1 RETURNING id`,
    [membershipId, stage.world.otherChapterId],
  );
  return { chapterId: stage.world.otherChapterId, membershipId: id };
}

async function endMembership(payer: Payer): Promise<void> {
  await setStatus(payer, 'alumni');
  await endMemberAccounts([payer.membershipId as string]);
}

async function setStatus({ membershipId }: Payer, status: string): Promise<void> {
  await rows('UPDATE memberships SET status = $2 WHERE id = $1', [membershipId, status]);
}

async function lookAtSettlement(stage: AccountStage, pick: number): Promise<void> {
  const open = await rows<{ id: string }>(
    `SELECT id FROM terminal_settlements WHERE organization_id = $1 AND status IN ('waiting', 'refunding') ORDER BY id`,
    [stage.organizationId],
  );
  const id = open[pick % Math.max(1, open.length)]?.id;
  if (!id) return;
  await followSettlement(id);
  await stage.rememberNew();
}

/** A member deletes the account: the remaining credit is reserved for a refund. */
async function leave(stage: AccountStage, userId: string): Promise<void> {
  await eraseInOrganization(userId);
  await stage.rememberNew();
}
