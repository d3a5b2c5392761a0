/** What an import would do, line by line. Changes nothing but the lines. */
import { changeRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import type { FieldErrors } from '../../errors.js';
import { mayMove } from '../lifecycle/transitions.js';
import { GRADUATION_YEARS, type MembershipStatus } from '../vocabulary.js';
import { BulkImport } from './BulkImport.js';
import type { Left } from './changePeople.js';
import { isPersonField, MEMBERSHIP_FIELDS, PERSON_FIELDS } from './fields.js';
import { chaptersByName, holdStep, type Line, lockNext, PAGE, readLines } from './lines.js';
import { isSame, type ReadLine, readLine } from './readLine.js';
import { findSame, type Same } from './sameLines.js';

interface Cells {
  id: string;
  cells: string[];
}

/** The next lines of a preview, in one transaction. Safe to run again. @returns whether there may be more */
export async function previewNextLines(importId: string): Promise<boolean> {
  const held = await holdStep<BulkImport>(importId, 'preview');
  if (!held) return false;
  const page = await lockNext(importId, 'line > $3', [held.line]);
  await previewLines(held, page);
  const last = page.at(-1);
  if (last) await changeRow(BulkImport, importId, { line: last.line });
  return page.length === PAGE;
}

/** Reads locked lines and holds them against the roster, in as many statements for a page as for one. */
export async function previewLines(of: BulkImport, page: readonly Cells[]): Promise<void> {
  const { mapping, day_order: dayOrder, chapter_id: chapter } = of;
  const context = { mapping, dayOrder, chapters: await chaptersByName(), chapter };
  const read = new Map(page.map(({ id, cells }) => [id, readLine(cells, context)]));
  await keep(of.id, [...read]);
  const emailOf = (id: string) => (read.get(id)?.given.email as string | undefined) ?? null;
  const lines = await readLines(
    of.id,
    page.map(({ id }) => ({ id, email: emailOf(id) })),
  );
  const same = await findSame(
    of.id,
    lines.map((line) => ({ line, nameKey: read.get(line.id)?.nameKey ?? null })),
  );
  const judged = lines.map((line) => judge(line, read.get(line.id) as ReadLine, same.get(line.id) as Same));
  await rows(
    `UPDATE bulk_import_rows r SET outcome = j.outcome, errors = j.errors, warnings = j.warnings, changes = j.changes,
            fields_left = j.fields_left, membership_id = j.membership_id, seen_version = j.seen_version
       FROM jsonb_to_recordset($3) AS j (id uuid, outcome text, errors jsonb, warnings jsonb, changes jsonb, fields_left jsonb,
              membership_id uuid, seen_version int)
      WHERE r.organization_id = $1 AND r.import_id = $2 AND r.id = j.id`,
    [currentOrganization(), of.id, JSON.stringify(judged)],
  );
}

/** First, so that lines of one page find one another. */
const keep = (importId: string, read: [id: string, line: ReadLine][]): Promise<unknown> =>
  rows(
    `UPDATE bulk_import_rows r SET given = j.given, email = j.given ->> 'email', name_key = j.name_key, chapter_id = j.chapter_id
       FROM jsonb_to_recordset($3) AS j (id uuid, given jsonb, name_key text, chapter_id uuid)
      WHERE r.organization_id = $1 AND r.import_id = $2 AND r.id = j.id`,
    [
      currentOrganization(),
      importId,
      JSON.stringify(
        read.map(([id, { given, nameKey, chapter }]) => ({
          id,
          given,
          name_key: nameKey,
          chapter_id: chapter?.id ?? null,
        })),
      ),
    ],
  );

function judge(line: Line, { given, errors: found, chapter }: ReadLine, same: Same) {
  const errors: FieldErrors = { ...found };
  const changes = changesOf(line, given);
  const membership = line.membership;
  if (same.line !== null) errors['email'] ??= [`Line ${same.line} is of the same person in this chapter.`];
  const is = { ...membership, ...given };
  if (is.graduation_season && !is.graduation_year)
    errors['graduation_season'] ??= ['A season requires a graduation year.'];
  const to = given.status as MembershipStatus | undefined;
  if (chapter && !chapter.active && (!membership || joins(line, to)))
    errors['chapter'] ??= ['This chapter is not active: it takes nobody in.'];
  if (membership) requireTransitions(line, to, errors);
  else {
    const latest = new Date().getUTCFullYear() + GRADUATION_YEARS.aheadOnCreation;
    if (Number(given.graduation_year ?? 0) > latest) errors['graduation_year'] ??= [`Must be at most ${latest}.`];
  }
  if (LEADERS.has(String(given.role)) && !STANDING.has(String(is.status ?? 'undergrad')))
    errors['role'] ??= ['Somebody of this status holds no office.'];
  const would = !membership ? 'create' : Object.keys(changes).length > 0 ? 'update' : 'unchanged';
  return {
    id: line.id,
    outcome: Object.keys(errors).length > 0 ? 'error' : would,
    errors,
    warnings: warningsOf(line, given, same),
    changes,
    fields_left: leftOf(line, given),
    membership_id: membership?.id ?? null,
    seen_version: membership?.version ?? null,
  };
}

const LEADERS = new Set(['officer', 'president']);
/** As `app.in_active_standing`, which has the last word. */
const STANDING = new Set(['undergrad', 'associate', 'active_alumni', 'lifetime_alumni']);

/** As `app.keep_intake_to_active_chapters`, which has the last word. */
const joins = ({ standing }: Line, to: MembershipStatus | undefined): boolean =>
  (standing?.status === 'pnm' && to !== undefined && !LEFT.has(to) && to !== 'pnm') ||
  (standing !== null && LEFT.has(standing.status) && to === 'pnm');
const LEFT: ReadonlySet<MembershipStatus> = new Set(['inactive', 'disaffiliated']);

/** An import says why by itself: a correction of the organization's needs no other reason. */
function requireTransitions({ standing }: Line, to: MembershipStatus | undefined, errors: FieldErrors): void {
  if (!standing || to === undefined || to === standing.status) return;
  if (!mayMove(standing, to, 'organization')) errors['status'] ??= [`Who is ${standing.status} does not become ${to}.`];
}

function changesOf(line: Line, given: ReadLine['given']): Line['changes'] {
  const { membership, person } = line;
  const left = leftOf(line, given);
  const changes: Line['changes'] = {};
  for (const field of [...MEMBERSHIP_FIELDS, ...PERSON_FIELDS]) {
    const to = given[field];
    const from = (isPersonField(field) ? person?.[field] : membership?.[field]) ?? null;
    if (to !== undefined && !(field in left) && !isSame(from, to)) changes[field] = [from, to];
  }
  return changes;
}

/** What is not this organization's to say, whatever is confirmed. */
const leftOf = ({ person }: Line, { phone_number }: ReadLine['given']): Left =>
  person?.elsewhere && phone_number !== undefined ? { phone_number: 'account_elsewhere' } : {};

/** What is worth a look. Names of people who are on the roster are their own: no import changes them. */
function warningsOf(line: Line, { first_name, last_name }: ReadLine['given'], { nameLine }: Same): string[] {
  const warnings = [];
  if (nameLine !== null) warnings.push(`Line ${nameLine} has the same name.`);
  if (line.same_name_member) warnings.push('Somebody else of the chapter has the same name.');
  if (line.membership && (line.person?.first_name !== first_name || line.person?.last_name !== last_name))
    warnings.push('The roster has another name, which stays.');
  return warnings;
}
