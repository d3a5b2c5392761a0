/** Takes back what an import has made, line by line. */
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { explained } from '../lifecycle/history.js';
import type { MembershipRole } from '../vocabulary.js';
import { BulkImport } from './BulkImport.js';
import { doneWith } from './changeMembers.js';
import { type MadePerson, restorePeople } from './changePeople.js';
import { holdStep, PAGE } from './lines.js';
import { stopWithoutRight } from './steps.js';
import { type Update, updateMembers } from './updateMembers.js';

interface Made extends MadePerson {
  id: string;
  membership_id: string;
  result: 'created' | 'updated';
  before: Record<string, unknown> | null;
  is: Record<string, unknown> & { role: MembershipRole };
}

/**
 * The next lines in one transaction, from the last one on: a membership that came by the import is inactive, one that was changed is what
 * it was; but for those that somebody has touched since. Safe to run again.
 * @param most lines; one, where a page of them does not go through
 * @returns how many lines there were
 * @throws Refusal as the constraints of memberships say
 */
export async function undoNextLines(importId: string, most = PAGE): Promise<number> {
  const held = await holdStep<BulkImport>(importId, 'undo');
  if (!held) return 0;
  const page = await lockLast(importId, most);
  if (page.length === 0 || (await stopWithoutRight(held))) return 0;
  const lines = await readMade(page);
  await restorePeople(importId, lines);
  const undone = lines.filter(({ touched }) => touched === null);
  const reason = `Import of ${held.file_name}`.slice(0, 500);
  await explained({ source: 'import_undone', reason }, () => updateMembers(importId, undone.flatMap(updateOf)));
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
  return page.length;
}

function updateOf({ membership_id: id, result, before, is }: Made): Update[] {
  const fields = result === 'created' ? { status: 'inactive' } : (before ?? {});
  const names = Object.keys(fields);
  if (names.length === 0) return [];
  return [
    { edit: { id, fields }, before: Object.fromEntries(names.map((name) => [name, is[name] ?? null])), role: is.role },
  ];
}

/** The last line does not go through by itself either: it stays as it is. @param why the code of the refusal */
export async function keepLastLine(importId: string, why: string): Promise<void> {
  if (!(await holdStep(importId, 'undo'))) throw refuse.conflict();
  const [id] = await lockLast(importId, 1);
  if (id === undefined) return;
  await doneWith(importId, [{ id, result: 'kept', why, membership_id: null, before: null }]);
  await changeRow(BulkImport, importId, { rows_kept: computed('rows_kept + 1') });
}

/** What came last goes first, as it may stand on what was before it; locked in their order, as by everybody. */
const lockLast = async (importId: string, most: number): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      `SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND result IN ('created', 'updated') AND id IN (
          SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2 AND result IN ('created', 'updated')
           ORDER BY line DESC LIMIT $3)
        ORDER BY line FOR NO KEY UPDATE`,
      [currentOrganization(), importId, most],
    )
  ).map(({ id }) => id);

/** SQL of how often the process of a crossing that line `r` made has changed membership `m`: once, where it had something to carry. */
const CARRIED = `(r.before ->> 'status' = 'pnm' AND EXISTS (
  SELECT FROM crossings c JOIN crossing_fields f ON f.organization_id = c.organization_id AND f.crossing_id = c.id
   WHERE c.organization_id = $1 AND c.membership_id = m.id AND c.created_at = r.done_at AND c.reverted_at IS NULL
     AND f.fate = 'copied' AND f.field IN ('crossing_date', 'crossing_semester', 'graduation')))::int`;

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
         WHEN m.version <> r.made_version + ${CARRIED} THEN 'edited' END AS touched
       FROM bulk_import_rows r JOIN made m ON m.id = r.membership_id
      WHERE r.organization_id = $1 AND r.id = ANY ($2)`,
    [currentOrganization(), lines],
  );
