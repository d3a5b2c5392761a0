/** Undoes an import line by line. */
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { withChangeContext } from '../lifecycle/history.js';
import type { MembershipRole } from '../vocabulary.js';
import { BulkImport } from './BulkImport.js';
import { recordResults } from './changeMembers.js';
import { type ImportedPerson, restorePeople } from './changePeople.js';
import { lockStep, BATCH_SIZE } from './lines.js';
import { stopWithoutRight } from './steps.js';
import { type Update, updateMembers } from './updateMembers.js';

interface UndoLine extends ImportedPerson {
  id: string;
  membership_id: string;
  result: 'created' | 'updated';
  before: Record<string, unknown> | null;
  current: Record<string, unknown> & { role: MembershipRole };
}

/**
 * Undoes the next lines in one transaction, from the last one backwards. A membership that the import created becomes
 * inactive, and a changed one gets its earlier values. Lines whose member was changed since are kept. Safe to run
 * again.
 * @param limit number of lines; 1 after a whole batch has failed
 * @returns how many lines there were
 * @throws Refusal when a constraint of memberships refuses a line
 */
export async function undoNextLines(importId: string, limit = BATCH_SIZE): Promise<number> {
  const lockedImport = await lockStep<BulkImport>(importId, 'undo');
  if (!lockedImport) return 0;
  const batch = await lockLastLines(importId, limit);
  if (batch.length === 0 || (await stopWithoutRight(lockedImport))) return 0;
  const lines = await readUndoLines(batch);
  await restorePeople(importId, lines);
  const undone = lines.filter(({ touched }) => touched === null);
  const reason = `Import of ${lockedImport.file_name}`.slice(0, 500);
  await withChangeContext({ source: 'import_undone', reason }, () => updateMembers(importId, undone.flatMap(updateOf)));
  await recordResults(
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
  return batch.length;
}

function updateOf({ membership_id: id, result, before, current }: UndoLine): Update[] {
  const fields = result === 'created' ? { status: 'inactive' } : (before ?? {});
  const names = Object.keys(fields);
  if (names.length === 0) return [];
  return [
    {
      edit: { id, fields },
      before: Object.fromEntries(names.map((name) => [name, current[name] ?? null])),
      role: current.role,
    },
  ];
}

/**
 * Skips the last line that is not undone yet, so that its member keeps the imported values. The caller has first tried
 * to undo it within a batch and then alone, and it was refused both times.
 * @param why the code of the refusal
 */
export async function skipLastLine(importId: string, why: string): Promise<void> {
  if (!(await lockStep(importId, 'undo'))) throw refuse.conflict();
  const [id] = await lockLastLines(importId, 1);
  if (id === undefined) return;
  await recordResults(importId, [{ id, result: 'kept', why, membership_id: null, before: null }]);
  await changeRow(BulkImport, importId, { rows_kept: computed('rows_kept + 1') });
}

/**
 * Locks the last lines that can be undone. Later lines are undone first, because they may build on earlier ones; but
 * the locks are taken in line order, as in all transactions.
 */
const lockLastLines = async (importId: string, limit: number): Promise<string[]> =>
  (
    await rows<{ id: string }>(
      `SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND result IN ('created', 'updated') AND id IN (
          SELECT id FROM bulk_import_rows WHERE organization_id = $1 AND import_id = $2 AND result IN ('created', 'updated')
           ORDER BY line DESC LIMIT $3)
        ORDER BY line FOR NO KEY UPDATE`,
      [currentOrganization(), importId, limit],
    )
  ).map(({ id }) => id);

/**
 * SQL that returns 1 if line `r` made a prospective member a full member and the workflow that followed copied data
 * into fields of membership `m`, which changed its version once more; otherwise 0.
 */
const CROSSING_CHANGES = `(r.before ->> 'status' = 'pnm' AND EXISTS (
  SELECT FROM crossings c JOIN crossing_fields f ON f.organization_id = c.organization_id AND f.crossing_id = c.id
   WHERE c.organization_id = $1 AND c.membership_id = m.id AND c.created_at = r.done_at AND c.reverted_at IS NULL
     AND f.fate = 'copied' AND f.field IN ('crossing_date', 'crossing_semester', 'graduation')))::int`;

/**
 * Reads lines with their memberships, and locks the memberships in id order, as all transactions do. `touched` is a
 * code that says how the member was changed since the import: the person has signed in (only for members whom the
 * import created), was invoiced, or the membership was edited, which shows in its version. Sessions from before the
 * import do not count, nor do sessions in which an admin impersonates the member.
 */
const readUndoLines = (lines: string[]): Promise<UndoLine[]> =>
  rows<UndoLine>(
    `WITH made AS MATERIALIZED (
       SELECT m.* FROM memberships m WHERE m.organization_id = $1 AND m.id IN (
         SELECT membership_id FROM bulk_import_rows WHERE organization_id = $1 AND id = ANY ($2))
        ORDER BY m.id FOR NO KEY UPDATE)
     SELECT r.id, r.membership_id, r.result, r.before, m.user_id, r.given, r.person_before, r.fields_left, to_jsonb(m) AS current, CASE
         WHEN r.result = 'created' AND (
           EXISTS (SELECT FROM invitations i WHERE i.organization_id = $1 AND i.membership_id = m.id AND i.state = 'accepted')
           OR EXISTS (SELECT FROM sessions s WHERE s.user_id = m.user_id AND s.organization_id = $1
             AND s.created_at >= r.done_at AND s.impersonation_id IS NULL)) THEN 'signed_in'
         WHEN EXISTS (SELECT FROM chapter_invoices c WHERE c.organization_id = $1 AND c.membership_id = m.id
            AND c.created_at >= r.done_at) THEN 'invoiced'
         WHEN m.version <> r.made_version + ${CROSSING_CHANGES} THEN 'edited' END AS touched
       FROM bulk_import_rows r JOIN made m ON m.id = r.membership_id
      WHERE r.organization_id = $1 AND r.id = ANY ($2)`,
    [currentOrganization(), lines],
  );
