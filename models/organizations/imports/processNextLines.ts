/** Applies lines as their preview showed. */
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { withChangeContext } from '../lifecycle/history.js';
import { lockMembersForStatus } from '../requests/openRequests.js';
import type { BulkImport } from './BulkImport.js';
import { BulkImport as Import } from './BulkImport.js';
import { type LineResult, recordResults } from './changeMembers.js';
import { changePeople, changesPerson } from './changePeople.js';
import { createMembers } from './createMembers.js';
import { lockStep, lockNextLines, BATCH_SIZE, readLines } from './lines.js';
import { failRepeatedEdits, type Plan, planOf } from './plan.js';
import { stopWithoutRight } from './steps.js';
import { type Update, updateMembers } from './updateMembers.js';

/**
 * Applies the next lines in one transaction and records each result. The number of statements does not depend on the
 * number of lines. A member who has changed since the preview is left unchanged. Safe to run again: lines with a result
 * are skipped.
 * @param limit number of lines; 1 after a whole batch has failed
 * @returns how many lines there were
 * @throws Refusal when a constraint of memberships refuses a line
 */
export async function processNextLines(importId: string, limit = BATCH_SIZE): Promise<number> {
  const lockedImport = await lockStep<BulkImport>(importId, 'process');
  if (!lockedImport) return 0;
  const batch = await lockNextLines(importId, `result = 'waiting'`, [], limit);
  if (batch.length === 0 || (await stopWithoutRight(lockedImport))) return 0;
  const ids = batch.map(({ id }) => id);
  await lockMembersOf(ids);
  const lines = await readLines(importId, batch);
  const plans = failRepeatedEdits(lines.map((line) => planOf(line, lockedImport.on_existing)));
  const reason = `Import of ${lockedImport.file_name}`.slice(0, 500);
  await withChangeContext({ source: 'import', reason }, async () => {
    await createMembers(importId, plans);
    await updateMembers(importId, plans.flatMap(updateOf));
  });
  await applyPersonChanges(lockedImport, plans);
  await recordPlans(lockedImport, plans);
  return batch.length;
}

/** Locks the memberships that the lines refer to. */
async function lockMembersOf(lines: string[]): Promise<void> {
  const members = await rows<{ membership_id: string }>(
    `SELECT DISTINCT membership_id FROM bulk_import_rows WHERE organization_id = $1 AND id = ANY ($2) AND membership_id IS NOT NULL`,
    [currentOrganization(), lines],
  );
  await lockMembersForStatus(members.map(({ membership_id }) => membership_id));
}

/**
 * Returns the membership update that a plan asks for, as an array of one or none. The update and the plan share one
 * `before` object: if the change of status also ends an office, `updateMembers` adds the earlier role to it, and the
 * plan then has it too.
 */
function updateOf({ result, edit, before, line: { membership } }: Plan): Update[] {
  return result === 'updated' && edit && before && membership ? [{ edit, before, role: membership.role }] : [];
}

/**
 * Changes the people of the lines, as the lines say. If all person fields of a line are skipped and the line had
 * nothing else to change, its result becomes `unchanged`.
 */
async function applyPersonChanges({ id, on_existing }: BulkImport, plans: Plan[]): Promise<void> {
  const personChanges = plans
    .filter(
      ({ result, line, userId }) => (result === 'created' || result === 'updated') && userId && changesPerson(line),
    )
    .map((plan) => Object.assign(plan, { userId: plan.userId as string, person_before: null }));
  await changePeople(id, personChanges, on_existing);
  for (const personChange of personChanges)
    if (personChange.result === 'updated' && !personChange.edit && personChange.person_before === null)
      personChange.result = 'unchanged';
}

async function recordPlans({ id }: BulkImport, plans: Plan[]): Promise<void> {
  await recordResults(id, plans);
  const count = (...results: LineResult['result'][]) => plans.filter(({ result }) => results.includes(result)).length;
  await changeRow(Import, id, {
    rows_created: computed(`rows_created + ${count('created')}`),
    rows_updated: computed(`rows_updated + ${count('updated')}`),
    rows_left: computed(`rows_left + ${count('unchanged', 'skipped')}`),
    rows_failed: computed(`rows_failed + ${count('failed')}`),
  });
}

/**
 * Marks the next line as failed. The caller has first tried it within a batch and then alone, and it was refused both
 * times.
 * @param why the code of the refusal
 */
export async function failNextLine(importId: string, why: string): Promise<void> {
  const lockedImport = await lockStep<BulkImport>(importId, 'process');
  if (!lockedImport) throw refuse.conflict();
  const [next] = await lockNextLines(importId, `result = 'waiting'`, [], 1);
  if (!next) return;
  await recordResults(importId, [{ id: next.id, result: 'failed', why, membership_id: null, before: null }]);
  await changeRow(Import, importId, { rows_failed: computed('rows_failed + 1') });
}
