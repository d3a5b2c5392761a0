/** Finds the order of simultaneous steps that explains their result, or the differences where there is none. */
import { translateDatabaseError } from '../../../../models/database/constraints.js';
import { Refusal } from '../../../../models/errors.js';
import type { Member, Pair, State } from './memberModel.js';

/** @returns the code of the refusal; null: done */
export async function outcomeOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    const code = error instanceof Refusal ? error.code : translateDatabaseError(error)?.code;
    if (code === undefined) throw error;
    return code;
  }
}

/** In the same form and order, independent of the order of creation. */
const plain = ({ periods, terms, scheduled, audits }: Member) => ({
  periods: periods.map(({ status, role, from, source }) => [status, role, from, source].join(' ')),
  terms: terms.toSorted(),
  scheduled: scheduled.map(({ day: on, status, role, to }) => [on, status, role, to].join(' ')),
  audits,
});
export const shown = ({ members, suspended }: State): string =>
  JSON.stringify([
    suspended.toSorted((one, other) => one - other),
    ...Object.entries(members)
      .map(([pair, member]) => [pair, plain(member)])
      .sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1)),
  ]);

export function difference(expected: State, found: State): string {
  const pairs = new Set([...Object.keys(expected.members), ...Object.keys(found.members)]) as Set<Pair>;
  const [first] = [...pairs].filter((pair) => {
    const [one, other] = [expected.members[pair], found.members[pair]];
    return !one || !other || JSON.stringify(plain(one)) !== JSON.stringify(plain(other));
  });
  const words = (state: State) => {
    const member = first && state.members[first];
    return member ? JSON.stringify(plain(member)) : 'nobody';
  };
  if (!first) return `suspended ${expected.suspended.join()}, found ${found.suspended.join()}`;
  return `${first}\n  expected ${words(expected)}\n  found    ${words(found)}`;
}

export function* orders(of: number[]): Generator<number[]> {
  if (of.length <= 1) yield of;
  else for (const [at, one] of of.entries()) for (const rest of orders(of.toSpliced(at, 1))) yield [one, ...rest];
}
