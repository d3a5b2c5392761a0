/** Cases with writes that can happen only once: every round has its own calls. */
import { isDeepStrictEqual } from 'node:util';
import type { Case, Setting } from './case.js';
import type { Call } from './protocol.js';
import { nothingToMark } from './unread.js';
import { ask } from './world.js';

/**
 * Returns the loads of product and reference, which take turns in each round.
 * @param calls the calls of each turn: even items for the product, odd items for the reference
 */
const inTurns = ({ both: { product, reference }, connections }: Setting, calls: Call[][]) => {
  const load =
    ([base]: string[], turn: number) =>
    (round: number) =>
      ({ kind: 'once', base: base as string, calls: calls[2 * round + turn] as Call[], connections }) as const;
  return { product: load(product, 0), reference: load(reference, 1) };
};

export const markRead = (setting: Setting): Case => ({
  name: 'notifications marked as read',
  target: { rate: 0.75 },
  ...inTurns(setting, setting.unread),
  async check() {
    const { both, unread } = setting;
    const call = nothingToMark(unread[0]?.[0] as Call);
    const [ours, theirs] = await Promise.all([both.product, both.reference].map(([base]) => ask(base as string, call)));
    if (!isDeepStrictEqual(ours, theirs)) throw new Error('mark_read: product and reference do not answer the same.');
  },
});

/**
 * An application with all the product's checks, compared with a bare insert of its rows. The answers contain tokens and
 * are not compared.
 */
export const apply = (setting: Setting): Case => ({
  name: 'application sent, compared with an insert of its rows',
  target: { latency: 3 },
  ...inTurns(setting, setting.applications),
  check: async () => undefined,
});
