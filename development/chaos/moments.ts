/** When to kill: at any time, or just when it hurts most. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Books } from './books.js';
import type { Dice } from './dice.js';
import type { Movement } from './gateway.js';
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

const LOOK_MS = 20;
/** What is held back waits: whoever looks more often keeps the machine from everything else. */
const LOOK_AT_HELD_MS = 100;
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

interface HeldBack {
  name: string;
  /** What asks the gateway, and what of a remittance has moved there then. */
  before: 'beforePayments' | 'beforeRefunds';
  operation?: string;
  moved: (movement: Movement) => boolean;
}

/** The gateway has done as it was asked and its answer is held back; the event is late. */
function answerHeldBack(load: Load, { name, before, operation, moved }: HeldBack): Moment {
  /** How much had moved before, by remittance. */
  const known = new Map<string, number>();
  const movedOf = async (id: string) => (await load.gateway.ledger(id)).filter(moved).length;
  const hasMoved = async () => {
    for (const [id, count] of known) if ((await movedOf(id).catch(() => 0)) > count) return true;
    return false;
  };
  return {
    name,
    needsAll: true,
    async comes(_dice, waiting) {
      load[before] = async (id: string | null) => {
        if (id === null) return;
        const count = known.get(id) ?? (await movedOf(id).catch(() => Infinity));
        await load.gateway.order({ kind: 'hold_after_capture', remittance_id: id, ...(operation && { operation }) });
        await tellLate(load, id);
        known.set(id, count);
      };
      while (!waiting.aborted && !(await hasMoved())) await sleep(LOOK_AT_HELD_MS);
    },
    async over() {
      load[before] = null;
      for (const id of known.keys()) await load.gateway.release(id);
      known.clear();
    },
  };
}

const moneyTaken = (load: Load): Moment =>
  answerHeldBack(load, {
    name: 'the money was taken, the answer not given',
    before: 'beforePayments',
    moved: ({ kind }) => kind === 'capture',
  });

/** What an accountant gives back at the gateway is not ours. */
const moneyGivenBack = (load: Load): Moment =>
  answerHeldBack(load, {
    name: 'the money was given back, the answer not given',
    before: 'beforeRefunds',
    operation: 'refund',
    moved: ({ kind, idempotency_key: key }) => kind === 'refund' && key?.startsWith('refund:') === true,
  });

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
    while (!waiting.aborted && !(await phones.holdNext())) await sleep(LOOK_AT_HELD_MS);
    while (!waiting.aborted && !(await phones.isHolding())) await sleep(LOOK_AT_HELD_MS);
  },
  over: () => phones.letGo(),
});

/** Somebody has paid on a page, and the gateway does not tell. */
const pageUntold = ({ diary }: Load): Moment => ({
  name: 'a page was paid, and nobody told',
  async comes(_dice, waiting) {
    while (!waiting.aborted && diary.untoldPages === 0) await sleep(LOOK_AT_HELD_MS);
  },
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

/** The moments worth dying at, by part; with faults put in, those at which they show. */
export function momentsOf(part: Part, plants: readonly Plant[], { load, books, mailbox }: Seen): Moment[] {
  const [taken, noted, givenBack] = [moneyTaken(load), captureNoted(load, books, part), moneyGivenBack(load)];
  if (part === 'push') return [anyTime, pushUnderWay(load)];
  // What is in our books, the gateway has answered long ago.
  if (part === 'gateway') return [anyTime, paymentAskedFor(load), taken, givenBack];
  const showing: Record<string, Partial<Record<Plant, Moment>>> = {
    worker: {
      'no-intent': taken,
      'no-reservation': givenBack,
      'split-settlement': noted,
      'send-before-claim': mailTaken(mailbox),
      'push-before-claim': pushUnderWay(load),
    },
    temporal: { 'no-sweep': paymentAskedFor(load), 'no-look': pageUntold(load) },
  };
  const shown = plants.flatMap((plant) => showing[roleOf(part)]?.[plant] ?? []);
  if (shown.length > 0) return shown;
  const anyPart = [anyTime, paymentAskedFor(load), taken, noted, givenBack];
  return roleOf(part) === 'worker' ? [...anyPart, mailTaken(mailbox)] : anyPart;
}
