/** Makes of lines what their preview showed. */
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { explained } from '../lifecycle/history.js';
import { lockMembersForStatus } from '../requests/openRequests.js';
import type { BulkImport } from './BulkImport.js';
import { BulkImport as Import } from './BulkImport.js';
import { type Done, doneWith } from './changeMembers.js';
import { changePeople, isOfPerson } from './changePeople.js';
import { createMembers } from './createMembers.js';
import { holdStep, lockNext, PAGE, readLines } from './lines.js';
import { onceEach, type Plan, planOf } from './plan.js';
import { stopWithoutRight } from './steps.js';
import { type Update, updateMembers } from './updateMembers.js';

/**
 * Does the next lines in one transaction, each with its result, in as many statements for a page as for one. Who has changed
 * since the preview is left as they are. Safe to run again: what waits no more is not touched.
 * @param most lines; one, where a page of them does not go through
 * @returns how many lines there were
 * @throws Refusal as the constraints of memberships say
 */
export async function processNextLines(importId: string, most = PAGE): Promise<number> {
  const held = await holdStep<BulkImport>(importId, 'process');
  if (!held) return 0;
  const page = await lockNext(importId, `result = 'waiting'`, [], most);
  if (page.length === 0 || (await stopWithoutRight(held))) return 0;
  const ids = page.map(({ id }) => id);
  await lockMembersOf(ids);
  const lines = await readLines(importId, page);
  const plans = onceEach(lines.map((line) => planOf(line, held.on_existing)));
  const reason = `Import of ${held.file_name}`.slice(0, 500);
  await explained({ source: 'import', reason }, async () => {
    await createMembers(importId, plans);
    await updateMembers(importId, plans.flatMap(updateOf));
  });
  await describe(held, plans);
  await keepResults(held, plans);
  return page.length;
}

/** Locks the memberships that lines are about. */
async function lockMembersOf(lines: string[]): Promise<void> {
  const members = await rows<{ membership_id: string }>(
    `SELECT DISTINCT membership_id FROM bulk_import_rows WHERE organization_id = $1 AND id = ANY ($2) AND membership_id IS NOT NULL`,
    [currentOrganization(), lines],
  );
  await lockMembersForStatus(members.map(({ membership_id }) => membership_id));
}

/** Their objects are the plan's own: what ends with a status is before the line, too. */
function updateOf({ result, edit, before, line: { membership } }: Plan): Update[] {
  return result === 'updated' && edit && before && membership ? [{ edit, before, role: membership.role }] : [];
}

/** What lines say of people beside their memberships. Who keeps all of it, and had nothing else to change, is as before. */
async function describe({ id, on_existing }: BulkImport, plans: Plan[]): Promise<void> {
  const wishes = plans
    .filter(({ result, line, userId }) => (result === 'created' || result === 'updated') && userId && isOfPerson(line))
    .map((plan) => Object.assign(plan, { userId: plan.userId as string, person_before: null }));
  await changePeople(id, wishes, on_existing);
  for (const wish of wishes)
    if (wish.result === 'updated' && !wish.edit && wish.person_before === null) wish.result = 'unchanged';
}

async function keepResults({ id }: BulkImport, plans: Plan[]): Promise<void> {
  await doneWith(id, plans);
  const count = (...results: Done['result'][]) => plans.filter(({ result }) => results.includes(result)).length;
  await changeRow(Import, id, {
    rows_created: computed(`rows_created + ${count('created')}`),
    rows_updated: computed(`rows_updated + ${count('updated')}`),
    rows_left: computed(`rows_left + ${count('unchanged', 'skipped')}`),
    rows_failed: computed(`rows_failed + ${count('failed')}`),
  });
}

/** The next line does not go through by itself either: its result says why. @param why the code of the refusal */
export async function failNextLine(importId: string, why: string): Promise<void> {
  const held = await holdStep<BulkImport>(importId, 'process');
  if (!held) throw refuse.conflict();
  const [next] = await lockNext(importId, `result = 'waiting'`, [], 1);
  if (!next) return;
  await doneWith(importId, [{ id: next.id, result: 'failed', why, membership_id: null, before: null }]);
  await changeRow(Import, importId, { rows_failed: computed('rows_failed + 1') });
}
