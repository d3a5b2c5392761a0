/**
 * Readers decide who may read the subject of a notification. Each area declares one for each kind of its subjects,
 * based on the policy of its rows.
 */
import type { Kind } from '../../models/database/model/defineModel.js';
import { loadIfExists } from '../../models/database/model/read.js';
import type { Actor } from '../../models/identity/Actor.js';
import { may, type Policy, type Subject } from './policy.js';

/** Reports whether an actor may read a row of the tenant; false for an id that the tenant does not have. */
type Reader = (actor: Actor, id: string) => Promise<boolean>;

const readers = new Map<string, Reader>();

/** Declares an area's readers, by the subject names that notification types use. */
export function defineReaders(table: Record<string, Reader>): void {
  for (const [subject, reader] of Object.entries(table)) readers.set(subject, reader);
}

/** Returns the kinds of subjects that have a reader. */
export const subjectsWithReader = (): string[] => [...readers.keys()];

export const mayReadSubject = async (actor: Actor, { type, id }: { type: string; id: string }): Promise<boolean> =>
  (await readers.get(type)?.(actor, id)) ?? false;

/**
 * Builds a reader from a policy.
 * @param find looks up a row and returns those of its fields that the policy's grants compare; null when there is no
 * such row
 */
export const readerOf =
  <Action extends string>(
    rules: Policy<Action>,
    action: NoInfer<Action>,
    find: (id: string) => Promise<Subject | null>,
  ): Reader =>
  async (actor, id) => {
    const subject = await find(id);
    return subject !== null && may(actor, rules, action, subject);
  };

/**
 * Returns a `find` function for `readerOf`. It suits kinds of rows whose own columns contain all fields that the grants
 * compare.
 */
export const rowOf =
  (kind: Kind) =>
  async (id: string): Promise<Subject | null> =>
    (await loadIfExists(kind, id)) as Subject | null;
