/**
 * Who may read what a notification is about: an entry for each kind of subject, declared by the area that has its rows, by the
 * policy that admits to them.
 */
import type { Kind } from '../../models/database/model/defineModel.js';
import { loadIfThere } from '../../models/database/model/read.js';
import type { Actor } from '../../models/identity/Actor.js';
import { may, type Policy, type Subject } from './policy.js';

/** Whether an actor may read a row of the tenant; false for an id that it does not have. */
type Reader = (actor: Actor, id: string) => Promise<boolean>;

const readers = new Map<string, Reader>();

/** Declares an area's readers, by the name that notification types give the subject. */
export function defineReaders(table: Record<string, Reader>): void {
  for (const [subject, reader] of Object.entries(table)) readers.set(subject, reader);
}

/** The kinds of subjects that have a reader. */
export const subjectsWithReader = (): string[] => [...readers.keys()];

export const mayReadSubject = async (actor: Actor, { type, id }: { type: string; id: string }): Promise<boolean> =>
  (await readers.get(type)?.(actor, id)) ?? false;

/** A reader by what a policy's grants compare. @param find the chapter, person … of a row; null where there is none */
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

/** A row's own columns, for `readerOf`. */
export const rowOf =
  (kind: Kind) =>
  async (id: string): Promise<Subject | null> =>
    (await loadIfThere(kind, id)) as Subject | null;
