/**
 * Changes the phone number and profile of the people in an import's lines, and restores them when the import is undone.
 */
import { auditAll } from '../../database/audit.js';
import type { BulkImport } from './BulkImport.js';
import { PERSON_FIELDS, type PersonField } from './fields.js';
import type { Line } from './lines.js';
import {
  editPeople,
  auditEntriesOf,
  type LockedPerson,
  lockPeople,
  type PersonEdit,
  type PersonValues,
} from './people.js';
import { isSame } from './readLine.js';

/** Fields that stay unchanged, each with a code for the reason. */
export type SkippedFields = Record<string, string>;

export interface PersonChange {
  userId: string;
  line: Line;
  person_before: Partial<PersonValues> | null;
  fields_left: SkippedFields;
}

/** Reports whether the previewed line changes fields of its person. */
export const changesPerson = ({ changes }: Line): boolean => PERSON_FIELDS.some((field) => field in changes);

/**
 * Changes people field by field, as the lines say. A field that changed since the preview is left unchanged; for a
 * field that already has a value, the import's setting `onExisting` decides. Each change records the earlier values and
 * the skipped fields. If several lines are about one person, they are applied in turn.
 */
export async function changePeople(
  importId: string,
  personChanges: readonly PersonChange[],
  onExisting: BulkImport['on_existing'],
): Promise<void> {
  const people = await lockPeople([...new Set(personChanges.map(({ userId }) => userId))].sort());
  const edits = personChanges.flatMap((personChange) => {
    const current = people.get(personChange.userId);
    if (!current) return [];
    const fields: PersonEdit['fields'] = {};
    for (const field of PERSON_FIELDS) {
      const change = personChange.line.changes[field] as [from: string | null, to: string] | undefined;
      if (!change || isSame(current[field], change[1])) continue;
      const why = reasonToSkip(field, change[0], { current, isNew: personChange.line.person === null, onExisting });
      if (why === null) fields[field] = change[1];
      else personChange.fields_left[field] = why;
    }
    return applyEdit({ userId: personChange.userId, fields }, current, personChange);
  });
  await writeEdits(importId, edits);
}

interface FieldContext {
  current: LockedPerson;
  /** Whether the person was not known to the organization before this import. */
  isNew: boolean;
  onExisting: BulkImport['on_existing'];
}

/** Returns why a field stays unchanged, or null if it may be changed. */
function reasonToSkip(
  field: PersonField,
  from: string | null,
  { current, isNew, onExisting }: FieldContext,
): string | null {
  if (field === 'phone_number' && current.elsewhere) return 'account_elsewhere';
  if (current[field] !== from) return 'changed_since_preview';
  if (onExisting === 'skip' && !isNew) return 'exists';
  const hasValue = from !== null && from.trim() !== '';
  return hasValue && onExisting !== 'overwrite' ? 'not_empty' : null;
}

type Edit = PersonEdit & { before: LockedPerson };

/** Records the earlier values, for later lines of the same person and for an undo. */
function applyEdit(
  { userId, fields }: PersonEdit,
  current: LockedPerson,
  personChange: Pick<PersonChange, 'person_before'>,
): Edit[] {
  const names = Object.keys(fields) as PersonField[];
  if (names.length === 0) return [];
  const before = { ...current };
  personChange.person_before = Object.fromEntries(names.map((field) => [field, current[field]]));
  Object.assign(current, fields);
  return [{ userId, fields, before }];
}

async function writeEdits(importId: string, edits: readonly Edit[]): Promise<void> {
  const editsByUser = new Map<string, PersonEdit>();
  for (const { userId, fields } of edits)
    editsByUser.set(userId, { userId, fields: { ...editsByUser.get(userId)?.fields, ...fields } });
  await editPeople([...editsByUser.values()]);
  await auditAll(edits.flatMap((edit) => auditEntriesOf(edit, edit.before, importId)));
}

export interface ImportedPerson {
  user_id: string;
  given: Line['given'];
  person_before: Partial<PersonValues> | null;
  /** Code that says how the line's member was changed since the import; null if they were not. */
  touched: string | null;
  fields_left: SkippedFields;
}

/**
 * Restores the values that people had before these lines were imported. A line is skipped if its member has changed
 * since the import, or if one of the person's fields no longer has the imported value. The phone number is not restored
 * if the account now also belongs to another organization.
 */
export async function restorePeople(importId: string, lines: readonly ImportedPerson[]): Promise<void> {
  const untouched = lines.filter(({ person_before, touched }) => person_before !== null && touched === null);
  const people = await lockPeople([...new Set(untouched.map(({ user_id }) => user_id))].sort());
  const edits = untouched.flatMap((line) => {
    const current = people.get(line.user_id);
    const before = Object.entries(line.person_before ?? {}) as [PersonField, string | null][];
    if (!current) return [];
    if (before.some(([field]) => !isSame(current[field], line.given[field] as string))) {
      line.touched = 'edited';
      return [];
    }
    const keepsNumber = current.elsewhere && before.some(([field]) => field === 'phone_number');
    if (keepsNumber) line.fields_left['phone_number'] = 'account_elsewhere';
    const fields = Object.fromEntries(before.filter(([field]) => !(keepsNumber && field === 'phone_number')));
    return applyEdit({ userId: line.user_id, fields }, current, { person_before: null });
  });
  await writeEdits(importId, edits);
}
