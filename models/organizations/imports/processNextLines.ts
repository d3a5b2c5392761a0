/** Makes of lines what their preview showed. */
import { auditAll } from '../../database/audit.js';
import { changeRow, computed } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { aboveOrganizations } from '../above.js';
import { explained } from '../lifecycle/history.js';
import { isTerminal, type MembershipStatus } from '../vocabulary.js';
import type { BulkImport } from './BulkImport.js';
import { BulkImport as Import } from './BulkImport.js';
import { type Done, doneWith, type Edit, editMemberships, inviteSilently, keepPeople } from './changeMembers.js';
import { MEMBERSHIP_FIELDS } from './fields.js';
import { holdStep, type Line, lockNext, PAGE, readLines } from './lines.js';

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
  if (page.length === 0) return 0;
  const ids = page.map(({ id }) => id);
  await lockMembersOf(ids);
  const lines = await readLines(importId, page);
  const plans = onceEach(lines.map((line) => planOf(line, held.on_existing)));
  const reason = `Import of ${held.file_name}`.slice(0, 500);
  await explained({ source: 'import', reason }, async () => {
    await create(held, plans);
    await update(held, plans);
  });
  await keepResults(held, plans);
  return page.length;
}

interface Plan extends Done {
  line: Line;
  edit?: Edit;
}

/** In the order of their ids, as everybody who locks several. */
const lockMembersOf = (lines: string[]): Promise<unknown> =>
  rows(
    `SELECT FROM memberships m WHERE m.organization_id = $1 AND m.id IN (
        SELECT membership_id FROM bulk_import_rows WHERE organization_id = $1 AND id = ANY ($2))
      ORDER BY m.id FOR NO KEY UPDATE`,
    [currentOrganization(), lines],
  );

/** What becomes of a line: nothing that its preview did not show. */
function planOf(line: Line, onExisting: BulkImport['on_existing']): Plan {
  const { id, outcome, membership, membership_id, seen_version, changes } = line;
  const as = (result: Done['result'], why: string | null = null): Plan => ({
    line,
    id,
    result,
    why,
    membership_id,
    before: null,
  });
  if (outcome === 'error' || outcome === null) return as('failed', 'not_valid');
  if ((membership?.id ?? null) !== membership_id || (membership?.version ?? null) !== seen_version)
    return as('failed', 'changed_since_preview');
  if (outcome === 'create') return as('created');
  if (outcome === 'unchanged') return as('unchanged');
  if (onExisting === 'skip') return as('skipped', 'exists');
  const fields = Object.entries(changes).filter(([, [from]]) => onExisting === 'overwrite' || from === null);
  if (fields.length === 0) return as('unchanged');
  return {
    ...as('updated'),
    before: Object.fromEntries(fields.map(([field, [from]]) => [field, from])),
    edit: { id: membership_id as string, fields: Object.fromEntries(fields.map(([field, [, to]]) => [field, to])) },
  };
}

/** Of a person with several lines the first changes them, which the others have not seen. */
function onceEach(plans: Plan[]): Plan[] {
  const edited = new Set<string>();
  for (const plan of plans) {
    if (!plan.edit) continue;
    if (edited.has(plan.edit.id)) {
      delete plan.edit;
      Object.assign(plan, { result: 'failed', why: 'changed_since_preview', before: null } satisfies Partial<Done>);
    } else edited.add(plan.edit.id);
  }
  return plans;
}

const doing = (plans: Plan[], result: Done['result']): Plan[] => plans.filter((plan) => plan.result === result);

async function create(held: BulkImport, plans: Plan[]): Promise<void> {
  const open = await activeChapters(doing(plans, 'created').map(({ line }) => line.chapter_id as string));
  for (const plan of doing(plans, 'created'))
    if (!open.has(plan.line.chapter_id as string))
      Object.assign(plan, { result: 'failed', why: 'chapter_not_active' } satisfies Partial<Done>);
  const news = doing(plans, 'created');
  if (news.length === 0) return;
  const people = await keepPeople(news.map(({ line }) => line));
  const made = await rows<{ id: string; user_id: string; chapter_id: string }>(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, ${MEMBERSHIP_FIELDS.join(', ')})
     SELECT $1, n.user_id, n.chapter_id, coalesce(n.status, 'undergrad'), coalesce(n.role,
              CASE n.status WHEN 'alumni' THEN 'alumni' ELSE 'member' END), ${MEMBERSHIP_FIELDS.slice(2)
                .map((field) => `n.${field}`)
                .join(', ')}
       FROM jsonb_to_recordset($2) AS n (user_id uuid, chapter_id uuid, status text, role text, joined_date date,
              graduation_year int, graduation_season text, pledge_class text, line_number int, crossing_semester text,
              crossing_date date)
      ORDER BY n.chapter_id RETURNING id, user_id, chapter_id`,
    [
      currentOrganization(),
      JSON.stringify(
        news.map(({ line }) => ({ ...line.given, user_id: people.get(line.id), chapter_id: line.chapter_id })),
      ),
    ],
  );
  const ids = new Map(made.map(({ id, user_id, chapter_id }) => [`${user_id} ${chapter_id}`, id]));
  for (const plan of news)
    plan.membership_id = ids.get(`${people.get(plan.line.id)} ${plan.line.chapter_id}`) as string;
  const asked = news.filter(({ line }) => line.account_id === null);
  await inviteSilently(
    asked.map(({ line, membership_id }) => ({
      user_id: people.get(line.id) as string,
      membership_id: membership_id as string,
    })),
  );
  await auditAll(
    news.map(({ membership_id, line }) => ({
      action: 'membership.created',
      subjectType: 'membership',
      subjectId: membership_id,
      person: { membershipId: membership_id as string },
      after: { ...ownFields(line.given), chapter_id: line.chapter_id, import_id: held.id },
    })),
  );
}

const ownFields = (given: Line['given']) =>
  Object.fromEntries(MEMBERSHIP_FIELDS.filter((field) => field in given).map((field) => [field, given[field]]));

async function activeChapters(ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await rows<{ id: string }>(
    `SELECT id FROM chapters WHERE organization_id = $1 AND id = ANY ($2) AND status = 'active' ORDER BY id FOR SHARE`,
    [currentOrganization(), ids],
  );
  return new Set(found.map(({ id }) => id));
}

async function update(held: BulkImport, plans: Plan[]): Promise<void> {
  const edited = doing(plans, 'updated');
  await editMemberships(edited.map(({ edit }) => edit as Edit));
  const ended = edited.filter(({ edit }) => isTerminal((edit?.fields['status'] ?? 'pnm') as MembershipStatus));
  if (ended.length > 0) await aboveOrganizations().settleMemberDebts(ended.map(({ edit }) => edit?.id as string));
  await auditAll(
    edited.map(({ edit, before }) => ({
      action: 'membership.updated',
      subjectType: 'membership',
      subjectId: edit?.id as string,
      person: { membershipId: edit?.id as string },
      before,
      after: { ...edit?.fields, import_id: held.id },
    })),
  );
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
