/** Whoever came by an import hears of it, once somebody says so. */
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { sendInvitation } from '../invitations/sendInvitation.js';
import { tellPerson } from '../invitations/tellPerson.js';
import type { BulkImport } from './BulkImport.js';
import { holdStep, lockNext } from './lines.js';
import { stopWithoutRight } from './steps.js';

/** Each has a mail of its own. */
const PEOPLE = 50;

/** SQL of lines that nobody has heard of yet; those of a chapter that is not active wait until it is, and somebody says so again. */
const UNTOLD = `result = 'created' AND invited_at IS NULL AND EXISTS (SELECT FROM chapters c
  WHERE c.organization_id = bulk_import_rows.organization_id AND c.id = bulk_import_rows.chapter_id AND c.status = 'active')`;

/** The next people in one transaction, each once: asked by mail, or told where they are known. Safe to run again. */
export async function inviteNextPeople(importId: string): Promise<boolean> {
  const held = await holdStep<BulkImport>(importId, 'send_invitations');
  if (!held) return false;
  const page = await lockNext(importId, UNTOLD, [], PEOPLE);
  if (page.length === 0 || (await stopWithoutRight(held))) return false;
  for (const { id } of page) await invite(id);
  await rows('UPDATE bulk_import_rows SET invited_at = now() WHERE organization_id = $1 AND id = ANY ($2)', [
    currentOrganization(),
    page.map(({ id }) => id),
  ]);
  return page.length === PEOPLE;
}

async function invite(lineId: string): Promise<void> {
  // Whoever answers meanwhile is waited for; whose membership has ended is not asked.
  const found = await firstRow<{
    membership: string;
    chapter: string;
    person: string;
    waits: boolean;
    open: boolean;
    asked: boolean;
  }>(
    `SELECT m.id AS membership, m.chapter_id AS chapter, u.id AS person, u.placeholder_in IS NOT NULL AS waits,
            coalesce(i.state = 'open', false) AS open, i.id IS NOT NULL AS asked
       FROM bulk_import_rows r
       JOIN memberships m ON m.organization_id = $1 AND m.id = r.membership_id AND m.status NOT IN ('inactive', 'disaffiliated')
       JOIN users u ON u.id = m.user_id
       LEFT JOIN invitations i ON i.organization_id = $1 AND i.membership_id = m.id
      WHERE r.organization_id = $1 AND r.id = $2 FOR NO KEY UPDATE OF m, u`,
    [currentOrganization(), lineId],
  );
  if (!found) return;
  if (found.waits && found.open) await sendInvitation('membership_id', found.membership, found.person);
  if (!found.waits && !found.asked)
    await tellPerson(found.person, 'membership_added', found.membership, { chapterId: found.chapter });
}
