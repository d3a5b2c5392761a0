/** What becomes of lines, as it is decided before anything is done. */
import type { BulkImport } from './BulkImport.js';
import type { Done, Edit } from './changeMembers.js';
import { isOfPerson } from './changePeople.js';
import { isPersonField } from './fields.js';
import type { Line } from './lines.js';

export interface Plan extends Done {
  line: Line;
  /** Whose line it is, where that is known. */
  userId: string | null;
  edit?: Edit;
  fields_left: Record<string, string>;
}

/** What becomes of a line: nothing that its preview did not show. */
export function planOf(line: Line, onExisting: BulkImport['on_existing']): Plan {
  const { id, outcome, membership, membership_id, seen_version, changes } = line;
  const as = (result: Done['result'], why: string | null = null): Plan => ({
    line,
    userId: line.person?.id ?? null,
    fields_left: {},
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
  const ofMember = Object.entries(changes).filter(([field]) => !isPersonField(field));
  const stays = onExisting === 'overwrite' ? [] : ofMember.filter(([, [from]]) => from !== null);
  const fields = ofMember.filter((change) => !stays.includes(change));
  return {
    // Of whom only what is beside the membership differs, that decides (`changePeople`).
    ...as(fields.length > 0 || isOfPerson(line) ? 'updated' : 'unchanged'),
    fields_left: Object.fromEntries(stays.map(([field]) => [field, 'not_empty'])),
    ...(fields.length > 0 && {
      before: Object.fromEntries(fields.map(([field, [from]]) => [field, from])),
      edit: { id: membership_id as string, fields: Object.fromEntries(fields.map(([field, [, to]]) => [field, to])) },
    }),
  };
}

/** Of a person with several lines the first changes them, which the others have not seen. */
export function onceEach(plans: Plan[]): Plan[] {
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

export const doing = (plans: Plan[], result: Done['result']): Plan[] => plans.filter((plan) => plan.result === result);
