/** When to kill: at any time, or just when it hurts most. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Books } from './books.js';
import type { Dice } from './dice.js';
import type { Load } from './load/load.js';
import type { Mailbox } from './mailbox.js';
import { type Part, type Plant, roleOf } from './options.js';

export interface Moment {
  name: string;
  /** It comes only where every part is up. */
  needsAll?: true;
  /** Resolves when it has come, or nobody waits for it any longer. @throws Error when it cannot be told */
  comes(dice: Dice, waiting: AbortSignal): Promise<void>;
  /** Undoes what was prepared, once the part is dead. */
  over?(): Promise<void>;
}

/** Where it shows that a moment has come. */
export interface Seen {
  load: Load;
  books: Books;
  mailbox: Mailbox;
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
  const paid = new Set<string>();
  const isTaken = async () => {
    for (const id of paid) if ((await load.gateway.ledger(id).catch(() => [])).length > 0) return true;
    return false;
  };
  return {
    name: 'the money was taken, the answer not given',
    needsAll: true,
    async comes(_dice, waiting) {
      load.beforePayments = async (id) => {
        await load.gateway.order({ kind: 'hold_after_capture', remittance_id: id });
        await tellLate(load, id);
        paid.add(id);
      };
      while (!waiting.aborted && !(await isTaken())) await sleep(LOOK_MS);
    },
    async over() {
      load.beforePayments = null;
      for (const id of paid) await load.gateway.release(id);
      paid.clear();
    },
  };
}

/** Orders late events for a remittance, so that the process itself finds out. */
const tellLate = ({ gateway }: Load, remittanceId: string): Promise<boolean> =>
  gateway.order({ kind: 'delay_events', delay_ms: LATE_MS, remittance_id: remittanceId, times: 20 });

/** A capture was just committed to our books: in the API by whichever event comes, elsewhere by its process. */
const captureNoted = (load: Load, books: Books, part: Part): Moment => ({
  name: 'a capture was just written down',
  needsAll: true,
  async comes(_dice, waiting) {
    // Of none yet: what was paid before may still be told by an event.
    const paid = new Set(['00000000-0000-0000-0000-000000000000']);
    load.beforePayments = async (id) => {
      if (roleOf(part) !== 'api') await tellLate(load, id);
      paid.add(id);
    };
    const noted = () =>
      books.count(`processor_captures WHERE remittance_id IN (${[...paid].map((id) => `'${id}'`).join(', ')})`);
    while (!waiting.aborted && (await noted()) === 0) await sleep(LOOK_MS);
  },
  async over() {
    load.beforePayments = null;
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

/** A mail of an organization's is with its server, and on record as claimed only. */
const mailTaken = (mailbox: Mailbox): Moment => ({
  name: 'a mail was just taken',
  needsAll: true,
  async comes(_dice, waiting) {
    const before = (await mailbox.mailsOfOrganizations()).length;
    while (!waiting.aborted && (await mailbox.mailsOfOrganizations()).length === before) await sleep(LOOK_MS);
  },
});

/** The moments worth dying at, by part; of a worker with faults put in, those at which they show. */
export function momentsOf(part: Part, plants: readonly Plant[], { load, books, mailbox }: Seen): Moment[] {
  const [taken, noted] = [moneyTaken(load), captureNoted(load, books, part)];
  if (part === 'push') return [anyTime, pushUnderWay(load)];
  // What is in our books, the gateway has answered long ago.
  if (part === 'gateway') return [anyTime, paymentAskedFor(load), taken];
  const showing: Partial<Record<Plant, Moment>> = {
    'no-intent': taken,
    'split-settlement': noted,
    'send-before-claim': mailTaken(mailbox),
    'push-before-claim': pushUnderWay(load),
  };
  const shown = roleOf(part) === 'worker' ? plants.flatMap((plant) => showing[plant] ?? []) : [];
  if (shown.length > 0) return shown;
  const anyPart = [anyTime, paymentAskedFor(load), taken, noted];
  return roleOf(part) === 'worker' ? [...anyPart, mailTaken(mailbox)] : anyPart;
}
