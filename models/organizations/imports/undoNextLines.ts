/** Takes back what an import has made, line by line. */
import { auditAll } from '../../database/audit.js';
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { explained } from '../lifecycle/history.js';
import { BulkImport } from './BulkImport.js';
import { doneWith, editMemberships } from './changeMembers.js';
import { type MadePerson, restorePeople } from './changePeople.js';
import { holdStep, lockNext } from './lines.js';

interface Made extends MadePerson {
  id: string;
  membership_id: string;
  result: 'created' | 'updated';
  before: Record<string, unknown> | null;
  is: Record<string, unknown>;
}

/**
 * The next lines in one transaction: a membership that came by the import is inactive, one that was changed is what it was; but
 * for those that somebody has touched since. Safe to run again.
 * @returns whether there may be more
 */
export async function undoNextLines(importId: string): Promise<boolean> {
  const held = await holdStep<BulkImport>(importId, 'undo');
  if (!held) return false;
  const page = await lockNext(importId, `result IN ('created', 'updated')`, []);
  if (page.length === 0) return false;
  const lines = await readMade(page.map(({ id }) => id));
  await restorePeople(importId, lines);
  const undone = lines.filter(({ touched }) => touched === null);
  const ended = undone
    .map((line) => ({ ...line, to: line.result === 'created' ? { status: 'inactive' } : (line.before ?? {}) }))
    .filter(({ to }) => Object.keys(to).length > 0);
  const reason = `Import of ${held.file_name}`.slice(0, 500);
  await explained({ source: 'import_undone', reason }, () =>
    editMemberships(ended.map(({ membership_id, to }) => ({ id: membership_id, fields: to }))),
  );
  await auditAll(
    ended.map(({ membership_id, is, to }) => ({
      action: 'membership.updated',
      subjectType: 'membership',
      subjectId: membership_id,
      person: { membershipId: membership_id },
      before: Object.fromEntries(Object.keys(to).map((field) => [field, is[field] ?? null])),
      after: { ...to, import_id: importId },
    })),
  );
  await doneWith(
    importId,
    lines.map(({ id, membership_id, touched, fields_left }) => ({
      id,
      fields_left,
      result: touched === null ? 'undone' : 'kept',
      why: touched,
      membership_id,
      before: null,
    })),
  );
  await changeRow(BulkImport, importId, {
    rows_undone: computed(`rows_undone + ${undone.length}`),
    rows_kept: computed(`rows_kept + ${lines.length - undone.length}`),
  });
  return true;
}

/**
 * Locked in the order of their ids, as by everybody who locks several. An edit is seen by the version. Whoever signs in takes what came
 * by the import for theirs, which an admin who looks around in their name does not; a member of before signs in every day.
 */
const readMade = (lines: string[]): Promise<Made[]> =>
  rows<Made>(
    `WITH made AS MATERIALIZED (
       SELECT m.* FROM memberships m WHERE m.organization_id = $1 AND m.id IN (
         SELECT membership_id FROM bulk_import_rows WHERE organization_id = $1 AND id = ANY ($2))
        ORDER BY m.id FOR NO KEY UPDATE)
     SELECT r.id, r.membership_id, r.result, r.before, m.user_id, r.given, r.person_before, r.fields_left, to_jsonb(m) AS is, CASE
         WHEN r.result = 'created' AND (
           EXISTS (SELECT FROM invitations i WHERE i.organization_id = $1 AND i.membership_id = m.id AND i.state = 'accepted')
           OR EXISTS (SELECT FROM sessions s WHERE s.user_id = m.user_id AND s.organization_id = $1
             AND s.created_at >= r.done_at AND s.impersonation_id IS NULL)) THEN 'signed_in'
         WHEN EXISTS (SELECT FROM chapter_invoices c WHERE c.organization_id = $1 AND c.membership_id = m.id
            AND c.created_at >= r.done_at) THEN 'invoiced'
         WHEN m.version <> r.made_version THEN 'edited' END AS touched
       FROM bulk_import_rows r JOIN made m ON m.id = r.membership_id
      WHERE r.organization_id = $1 AND r.id = ANY ($2)`,
    [currentOrganization(), lines],
  );
