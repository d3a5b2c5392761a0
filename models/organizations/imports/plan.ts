/** Decides what happens to lines before anything is written. */
import type { BulkImport } from './BulkImport.js';
import type { LineResult, Edit } from './changeMembers.js';
import { changesPerson } from './changePeople.js';
import { isPersonField } from './fields.js';
import type { Line } from './lines.js';

export interface Plan extends LineResult {
  line: Line;
  /** The user id of the line's person; null if the organization does not have this person yet. */
  userId: string | null;
  edit?: Edit;
  fields_left: Record<string, string>;
}

/** Returns what happens to a line. It never does more than the preview showed. */
export function planOf(line: Line, onExisting: BulkImport['on_existing']): Plan {
  const { id, outcome, membership, membership_id, seen_version, changes } = line;
  const planWith = (result: LineResult['result'], why: string | null = null): Plan => ({
    line,
    userId: line.person?.id ?? null,
    fields_left: {},
    id,
    result,
    why,
    membership_id,
    before: null,
  });
  if (outcome === 'error' || outcome === null) return planWith('failed', 'not_valid');
  if ((membership?.id ?? null) !== membership_id || (membership?.version ?? null) !== seen_version)
    return planWith('failed', 'changed_since_preview');
  if (outcome === 'create') return planWith('created');
  if (outcome === 'unchanged') return planWith('unchanged');
  if (onExisting === 'skip') return planWith('skipped', 'exists');
  const membershipChanges = Object.entries(changes).filter(([field]) => !isPersonField(field));
  const skipped = onExisting === 'overwrite' ? [] : membershipChanges.filter(([, [from]]) => from !== null);
  const fields = membershipChanges.filter((change) => !skipped.includes(change));
  return {
    // If the line changes no field of the membership itself, `changePeople` decides whether anything changes at all.
    ...planWith(fields.length > 0 || changesPerson(line) ? 'updated' : 'unchanged'),
    fields_left: Object.fromEntries(skipped.map(([field]) => [field, 'not_empty'])),
    ...(fields.length > 0 && {
      before: Object.fromEntries(fields.map(([field, [from]]) => [field, from])),
      edit: { id: membership_id as string, fields: Object.fromEntries(fields.map(([field, [, to]]) => [field, to])) },
    }),
  };
}

/**
 * Keeps the first edit of each membership. Later lines of the same membership fail, because they were previewed without
 * that edit.
 */
export function failRepeatedEdits(plans: Plan[]): Plan[] {
  const edited = new Set<string>();
  for (const plan of plans) {
    if (!plan.edit) continue;
    if (edited.has(plan.edit.id)) {
      delete plan.edit;
      Object.assign(plan, {
        result: 'failed',
        why: 'changed_since_preview',
        before: null,
      } satisfies Partial<LineResult>);
    } else edited.add(plan.edit.id);
  }
  return plans;
}

export const plansWithResult = (plans: Plan[], result: LineResult['result']): Plan[] =>
  plans.filter((plan) => plan.result === result);
