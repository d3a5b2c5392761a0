/** Previews an import line by line. Changes only the lines. */
import { changeRow } from '../../database/model/change.js';
import { currentOrganization, rows } from '../../database/rows.js';
import type { FieldErrors } from '../../errors.js';
import { canTransition } from '../lifecycle/transitions.js';
import {
  ACTIVE_STANDING_STATUSES,
  GRADUATION_YEARS,
  LEADER_ROLES,
  type MembershipRole,
  type MembershipStatus,
} from '../vocabulary.js';
import { BulkImport } from './BulkImport.js';
import type { SkippedFields } from './changePeople.js';
import { isPersonField, MEMBERSHIP_FIELDS, PERSON_FIELDS } from './fields.js';
import { chaptersByName, lockStep, type Line, lockNextLines, BATCH_SIZE, readLines } from './lines.js';
import { isSame, type ReadLine, readLine } from './readLine.js';
import { findSamePersonLines, type SamePersonLines } from './samePersonLines.js';

interface Cells {
  id: string;
  cells: string[];
}

/** Previews the next batch of lines, in one transaction. Safe to run again. @returns whether there may be more */
export async function previewNextLines(importId: string): Promise<boolean> {
  const lockedImport = await lockStep<BulkImport>(importId, 'preview');
  if (!lockedImport) return false;
  const batch = await lockNextLines(importId, 'line > $3', [lockedImport.line]);
  await previewLines(lockedImport, batch);
  const last = batch.at(-1);
  if (last) await changeRow(BulkImport, importId, { line: last.line });
  return batch.length === BATCH_SIZE;
}

/**
 * Reads values from locked lines and compares them with the roster. The number of statements does not depend on the
 * number of lines.
 */
export async function previewLines(bulkImport: BulkImport, batch: readonly Cells[]): Promise<void> {
  const { mapping, day_order: dayOrder, chapter_id: chapter } = bulkImport;
  const context = { mapping, dayOrder, chapters: await chaptersByName(), chapter };
  const parsedLines = new Map(batch.map(({ id, cells }) => [id, readLine(cells, context)]));
  await storeParsedLines(bulkImport.id, [...parsedLines]);
  const emailOf = (id: string) => (parsedLines.get(id)?.given.email as string | undefined) ?? null;
  const lines = await readLines(
    bulkImport.id,
    batch.map(({ id }) => ({ id, email: emailOf(id) })),
  );
  const samePersonLines = await findSamePersonLines(
    bulkImport.id,
    lines.map((line) => ({ line, nameKey: parsedLines.get(line.id)?.nameKey ?? null })),
  );
  const evaluated = lines.map((line) =>
    evaluateLine(line, parsedLines.get(line.id) as ReadLine, samePersonLines.get(line.id) as SamePersonLines),
  );
  await rows(
    `UPDATE bulk_import_rows r SET outcome = j.outcome, errors = j.errors, warnings = j.warnings, changes = j.changes,
            fields_left = j.fields_left, membership_id = j.membership_id, seen_version = j.seen_version
       FROM jsonb_to_recordset($3) AS j (id uuid, outcome text, errors jsonb, warnings jsonb, changes jsonb, fields_left jsonb,
              membership_id uuid, seen_version int)
      WHERE r.organization_id = $1 AND r.import_id = $2 AND r.id = j.id`,
    [currentOrganization(), bulkImport.id, JSON.stringify(evaluated)],
  );
}

/**
 * Stores the parsed lines before they are compared, so that the comparison also finds other lines of the same batch.
 */
const storeParsedLines = (importId: string, parsedLines: [id: string, line: ReadLine][]): Promise<unknown> =>
  rows(
    `UPDATE bulk_import_rows r SET given = j.given, email = j.given ->> 'email', name_key = j.name_key, chapter_id = j.chapter_id
       FROM jsonb_to_recordset($3) AS j (id uuid, given jsonb, name_key text, chapter_id uuid)
      WHERE r.organization_id = $1 AND r.import_id = $2 AND r.id = j.id`,
    [
      currentOrganization(),
      importId,
      JSON.stringify(
        parsedLines.map(([id, { given, nameKey, chapter }]) => ({
          id,
          given,
          name_key: nameKey,
          chapter_id: chapter?.id ?? null,
        })),
      ),
    ],
  );

function evaluateLine(line: Line, { given, errors: parseErrors, chapter }: ReadLine, same: SamePersonLines) {
  const errors: FieldErrors = { ...parseErrors };
  const changes = changesOf(line, given);
  const membership = line.membership;
  if (same.line !== null) errors['email'] ??= [`Line ${same.line} names the same person in this chapter.`];
  const merged = { ...membership, ...given };
  if (merged.graduation_season && !merged.graduation_year)
    errors['graduation_season'] ??= ['A season requires a graduation year.'];
  const to = given.status as MembershipStatus | undefined;
  if (chapter && !chapter.active && (!membership || joinsChapter(line, to)))
    errors['chapter'] ??= ['This chapter is not active and takes no new members.'];
  if (membership) requireTransitions(line, to, errors);
  else {
    const latest = new Date().getUTCFullYear() + GRADUATION_YEARS.aheadOnCreation;
    if (Number(given.graduation_year ?? 0) > latest) errors['graduation_year'] ??= [`Must be at most ${latest}.`];
  }
  const { role } = given;
  const status = (merged.status ?? 'undergrad') as MembershipStatus;
  if (role && LEADER_ROLES.has(role as MembershipRole) && !ACTIVE_STANDING_STATUSES.has(status))
    errors['role'] ??= ['A member with this status cannot hold office.'];
  const plannedOutcome = !membership ? 'create' : Object.keys(changes).length > 0 ? 'update' : 'unchanged';
  return {
    id: line.id,
    outcome: Object.keys(errors).length > 0 ? 'error' : plannedOutcome,
    errors,
    warnings: warningsOf(line, given, same),
    changes,
    fields_left: fieldsNotAllowed(line, given),
    membership_id: membership?.id ?? null,
    seen_version: membership?.version ?? null,
  };
}

/**
 * Reports whether the change brings a member into the chapter. Must match `app.keep_intake_to_active_chapters`, which
 * is authoritative.
 */
const joinsChapter = ({ standing }: Line, to: MembershipStatus | undefined): boolean =>
  (standing?.status === 'pnm' && to !== undefined && !OUT_STATUSES.has(to) && to !== 'pnm') ||
  (standing !== null && OUT_STATUSES.has(standing.status) && to === 'pnm');
const OUT_STATUSES: ReadonlySet<MembershipStatus> = new Set(['inactive', 'disaffiliated']);

/**
 * Checks the transition with the organization's authority. A correction normally needs a reason; here the import counts
 * as the reason.
 */
function requireTransitions({ standing }: Line, to: MembershipStatus | undefined, errors: FieldErrors): void {
  if (!standing || to === undefined || to === standing.status) return;
  if (!canTransition(standing, to, 'organization'))
    errors['status'] ??= [`A membership cannot change from ${standing.status} to ${to}.`];
}

function changesOf(line: Line, given: ReadLine['given']): Line['changes'] {
  const { membership, person } = line;
  const left = fieldsNotAllowed(line, given);
  const changes: Line['changes'] = {};
  for (const field of [...MEMBERSHIP_FIELDS, ...PERSON_FIELDS]) {
    const to = given[field];
    const from = (isPersonField(field) ? person?.[field] : membership?.[field]) ?? null;
    if (to !== undefined && !(field in left) && !isSame(from, to)) changes[field] = [from, to];
  }
  return changes;
}

/**
 * Returns the fields that this organization may not change, because the person also belongs to another organization.
 */
const fieldsNotAllowed = ({ person }: Line, { phone_number }: ReadLine['given']): SkippedFields =>
  person?.elsewhere && phone_number !== undefined ? { phone_number: 'account_elsewhere' } : {};

/**
 * Returns warnings that an admin should look at. The names of people on the roster belong to those people, so no import
 * changes them.
 */
function warningsOf(line: Line, { first_name, last_name }: ReadLine['given'], { nameLine }: SamePersonLines): string[] {
  const warnings = [];
  if (nameLine !== null) warnings.push(`Line ${nameLine} has the same name.`);
  if (line.same_name_member) warnings.push('Another member of the chapter has the same name.');
  if (line.membership && (line.person?.first_name !== first_name || line.person?.last_name !== last_name))
    warnings.push('The member has another name on the roster, which stays.');
  return warnings;
}
