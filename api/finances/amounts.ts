/**
 * The only rule of the API for who sees amounts. Must match the SQL function `app.sees_amounts`; a test compares the
 * two.
 */
import { officersSeeAmounts } from '../../models/finances/dues-settings/officersSeeAmounts.js';
import type { Actor } from '../../models/identity/Actor.js';
import {
  may,
  nationalAdmin,
  officerOfChapter,
  policy,
  regionalAdminOfChapter,
  type Subject,
  self,
} from '../http/policy.js';

const amountsPolicy = policy('amounts', {
  /** Actors who see amounts even if `officers_see_amounts` is off. */
  always_see: [nationalAdmin, regionalAdminOfChapter, self],
  /** Actors who see amounts only if `officers_see_amounts` is on. */
  see_as_officer: [officerOfChapter],
});

/**
 * Whether an actor sees the amounts of a subject. A subject with only `chapter_id` stands for the chapter; a subject
 * that has `membership_id` as well stands for that payer.
 * @param officersSee the organization's setting `officers_see_amounts`
 */
export const seesAmounts = (actor: Actor, subject: Subject, officersSee: boolean): boolean =>
  may(actor, amountsPolicy, 'always_see', subject) ||
  (officersSee && may(actor, amountsPolicy, 'see_as_officer', subject));

/** Like `seesAmounts`, for callers that have not read the setting. */
export const readsAmounts = async (actor: Actor, subject: Subject): Promise<boolean> =>
  may(actor, amountsPolicy, 'always_see', subject) || seesAmounts(actor, subject, await officersSeeAmounts());

/**
 * Whether an actor sees the amounts of all these chapters.
 * @param chapters null stands for the whole organization; for an empty list the result is false
 */
export async function readsAmountsOf(actor: Actor, chapters: readonly string[] | null): Promise<boolean> {
  if (chapters === null) return readsAmounts(actor, {});
  const officersSee = await officersSeeAmounts();
  return chapters.length > 0 && chapters.every((chapter_id) => seesAmounts(actor, { chapter_id }, officersSee));
}

/**
 * Fields that are hidden together with amounts: texts that people type and that may name an amount, and fields that are
 * computed from amounts.
 */
const FOLLOWS_AMOUNTS = new Set([
  'cancel_reason',
  'is_in_policy',
  'justification',
  'note',
  'policy_reasons',
  'reason',
  'reconciliation_note',
  'reference',
  'review_notes',
  'void_reason',
]);

/** Text in place of a fee's description, which a person typed and which may name an amount. */
const FEE = 'Fee';

const isFee = (row: Record<string, unknown>): boolean => row['is_fee'] === true || row['kind'] === 'fee';

/**
 * Returns the JSON for a reader who sees no amounts: at every depth, null for each amount in cents and for each text
 * that may name one.
 * @param exceptions texts that the reader wrote, or that the response must contain
 */
export function withoutAmounts<Json>(json: Json, exceptions: Partial<Json> = {}): Json {
  return { ...(hideAmounts(json) as object), ...exceptions } as Json;
}

function hideAmounts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideAmounts);
  if (value === null || typeof value !== 'object') return value;
  const row = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(row).map(([name, inner]) => {
      if (name.endsWith('_cents') || FOLLOWS_AMOUNTS.has(name)) return [name, null];
      if (name === 'description' && isFee(row)) return [name, FEE];
      return [name, hideAmounts(inner)];
    }),
  );
}
