/** What an import does to the people of its lines, beside their memberships, and takes back. */
import { auditAll } from '../../database/audit.js';
import type { BulkImport } from './BulkImport.js';
import { PERSON_FIELDS, type PersonField } from './fields.js';
import type { Line } from './lines.js';
import { editPeople, entriesOf, type LockedPerson, lockPeople, type PersonEdit, type PersonValues } from './people.js';
import { isSame } from './readLine.js';

/** Field: a code, why it stays as it is. */
export type Left = Record<string, string>;

export interface Wish {
  userId: string;
  line: Line;
  person_before: Partial<PersonValues> | null;
  fields_left: Left;
}

/** The line says of its person what was previewed. */
export const isOfPerson = ({ changes }: Line): boolean => PERSON_FIELDS.some((field) => field in changes);

/**
 * Sets of each person what their line says, field by field: what has changed since the preview stays, and what is there already goes by
 * `onExisting`. Each wish is told what was before, and what was left. Of several lines of one person each sees what the one before has done.
 */
export async function changePeople(
  importId: string,
  wishes: readonly Wish[],
  onExisting: BulkImport['on_existing'],
): Promise<void> {
  const people = await lockPeople([...new Set(wishes.map(({ userId }) => userId))].sort());
  const edits = wishes.flatMap((wish) => {
    const is = people.get(wish.userId);
    if (!is) return [];
    const fields: PersonEdit['fields'] = {};
    for (const field of PERSON_FIELDS) {
      const change = wish.line.changes[field] as [from: string | null, to: string] | undefined;
      if (!change || isSame(is[field], change[1])) continue;
      const why = whyLeft(field, change[0], { is, isNew: wish.line.person === null, onExisting });
      if (why === null) fields[field] = change[1];
      else wish.fields_left[field] = why;
    }
    return take({ userId: wish.userId, fields }, is, wish);
  });
  await keepEdits(importId, edits);
}

interface Standing {
  is: LockedPerson;
  /** Nobody here knew them before. */
  isNew: boolean;
  onExisting: BulkImport['on_existing'];
}

/** Why a field stays as it is; null: it does not. */
function whyLeft(field: PersonField, from: string | null, { is, isNew, onExisting }: Standing): string | null {
  if (field === 'phone_number' && is.elsewhere) return 'account_elsewhere';
  if (is[field] !== from) return 'changed_since_preview';
  if (onExisting === 'skip' && !isNew) return 'exists';
  const isThere = from !== null && from.trim() !== '';
  return isThere && onExisting !== 'overwrite' ? 'not_empty' : null;
}

type Edit = PersonEdit & { is: LockedPerson };

/** Notes down what is set, for whoever comes next and for the undoing. */
function take({ userId, fields }: PersonEdit, is: LockedPerson, wish: Pick<Wish, 'person_before'>): Edit[] {
  const names = Object.keys(fields) as PersonField[];
  if (names.length === 0) return [];
  const before = { ...is };
  wish.person_before = Object.fromEntries(names.map((field) => [field, is[field]]));
  Object.assign(is, fields);
  return [{ userId, fields, is: before }];
}

async function keepEdits(importId: string, edits: readonly Edit[]): Promise<void> {
  const each = new Map<string, PersonEdit>();
  for (const { userId, fields } of edits)
    each.set(userId, { userId, fields: { ...each.get(userId)?.fields, ...fields } });
  await editPeople([...each.values()]);
  await auditAll(edits.flatMap((edit) => entriesOf(edit, edit.is, importId)));
}

export interface MadePerson {
  user_id: string;
  given: Line['given'];
  person_before: Partial<PersonValues> | null;
  /** By what somebody has touched the line since; null: nobody has. */
  touched: string | null;
  fields_left: Left;
}

/**
 * Gives people back what they were before these lines, but for the lines that somebody has touched since, of whom a person's field is
 * another by now. A number stays where its account has come to belong elsewhere too.
 */
export async function restorePeople(importId: string, lines: readonly MadePerson[]): Promise<void> {
  const made = lines.filter(({ person_before, touched }) => person_before !== null && touched === null);
  const people = await lockPeople([...new Set(made.map(({ user_id }) => user_id))].sort());
  const edits = made.flatMap((line) => {
    const is = people.get(line.user_id);
    const before = Object.entries(line.person_before ?? {}) as [PersonField, string | null][];
    if (!is) return [];
    if (before.some(([field]) => !isSame(is[field], line.given[field] as string))) {
      line.touched = 'edited';
      return [];
    }
    const stays = is.elsewhere && before.some(([field]) => field === 'phone_number');
    if (stays) line.fields_left['phone_number'] = 'account_elsewhere';
    const fields = Object.fromEntries(before.filter(([field]) => !(stays && field === 'phone_number')));
    return take({ userId: line.user_id, fields }, is, { person_before: null });
  });
  await keepEdits(importId, edits);
}
