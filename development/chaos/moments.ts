/** When to kill: at any time, or just when it hurts most. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Books } from './books.js';
import type { Dice } from './dice.js';
import type { Load } from './load/load.js';
import type { Part, Plant } from './options.js';

export interface Moment {
  name: string;
  /** It comes only where every part is up. */
  needsAll?: true;
  /** Resolves when it has come, or nobody waits for it any longer. @throws Error when it cannot be told */
  comes(dice: Dice, waiting: AbortSignal): Promise<void>;
  /** Undoes what was prepared, once the part is dead. */
  over?(): Promise<void>;
}

const LOOK_MS = 5;
/** Longer than any part is down: the process itself, and not the event, has to find out. */
const LATE_MS = 120_000;

/** At any time. */
const anyTime: Moment = { name: 'at any time', comes: (dice) => sleep(dice.between(0, 400)) };

/** A request to pay is on its way: the intent is committed or not, its process started or not. */
const paymentAskedFor = ({ diary }: Load): Moment => ({
  name: 'a payment was just asked for',
  async comes(dice) {
    await diary.next('pay');
    await sleep(dice.between(0, 25));
  },
});

/** The gateway has taken the money and its answer is held back; the event is late. */
function moneyTaken(load: Load): Moment {
  let charged: string | null = null;
  return {
    name: 'the money was taken, the answer not given',
    needsAll: true,
    async comes(_dice, waiting) {
      const remittanceId = await nextPayment(load, true);
      charged = remittanceId;
      while (!waiting.aborted && (await load.gateway.ledger(remittanceId).catch(() => [])).length === 0)
        await sleep(LOOK_MS);
    },
    async over() {
      load.nextPayment = null;
      if (charged) await load.gateway.release(charged);
      charged = null;
    },
  };
}

/**
 * Orders late events for the next remittance that somebody pays, so that the process itself finds out.
 * @param held whether the gateway's answer is held back, too
 * @returns its id
 */
function nextPayment(load: Load, held: boolean): Promise<string> {
  return new Promise((resolve) => {
    load.nextPayment = async (remittanceId) => {
      if (held) await load.gateway.order({ kind: 'hold_after_capture', remittance_id: remittanceId });
      const late = { kind: 'delay_events', delay_ms: LATE_MS, remittance_id: remittanceId, times: 20 };
      await load.gateway.order(late);
      resolve(remittanceId);
    };
  });
}

/** A capture was just committed to our books: in the API by whichever event comes, elsewhere by its process. */
const captureNoted = (load: Load, books: Books, part: Part): Moment => ({
  name: 'a capture was just written down',
  needsAll: true,
  async comes(_dice, waiting) {
    const source =
      part === 'api'
        ? 'processor_captures'
        : `processor_captures WHERE remittance_id = '${await nextPayment(load, false)}'`;
    const before = await books.count(source);
    while (!waiting.aborted && (await books.count(source)) === before) await sleep(LOOK_MS);
  },
  async over() {
    load.nextPayment = null;
  },
});

/** A push is on record and on its way, and its answer is held back. */
const pushUnderWay = ({ phones }: Load): Moment => ({
  name: 'a push was under way',
  needsAll: true,
  async comes(_dice, waiting) {
    while (!waiting.aborted && !(await phones.holdNext())) await sleep(LOOK_MS);
    while (!waiting.aborted && !(await phones.isHolding())) await sleep(LOOK_MS);
  },
  over: () => phones.letGo(),
});

/** The moments worth dying at, by part. */
export function momentsOf(part: Part, load: Load, books: Books, plant: Plant | null): Moment[] {
  if (part === 'push') return [anyTime, pushUnderWay(load)];
  // What it shows, it shows at no other moment.
  if (plant === 'push-before-claim') return [pushUnderWay(load)];
  const all = [anyTime, paymentAskedFor(load), moneyTaken(load), captureNoted(load, books, part)];
  // What is in our books, the gateway has answered long ago.
  return part === 'gateway' ? all.slice(0, 3) : all;
}
