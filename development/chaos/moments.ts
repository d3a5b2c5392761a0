/** The moments at which to kill: at any time, or when a crash does the most harm. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Books } from './books.js';
import type { Dice } from './dice.js';
import type { Movement } from './gateway.js';
import type { Load } from './load/load.js';
import type { Mailbox } from './mailbox.js';
import { type Part, type Plant, roleOf } from './options.js';

export interface Moment {
  name: string;
  /** The moment can come only when every part is up. */
  needsAll?: true;
  /** Resolves when the moment has come or waiting is aborted. @throws Error when the moment cannot be observed */
  comes(dice: Dice, waiting: AbortSignal): Promise<void>;
  /** Undoes the preparation after the part was killed. */
  over?(): Promise<void>;
}

/** The sources that show whether a moment has come. */
export interface Observed {
  load: Load;
  books: Books;
  mailbox: Mailbox;
}

const POLL_MS = 20;
/**
 * Polling interval while the gateway holds a request. A held request does not go away, so polling can be slow and leave
 * CPU time to the platform.
 */
const POLL_HELD_MS = 100;
/** Event delay that is longer than any downtime, so that the workflow and not the event discovers the outcome. */
const LATE_MS = 120_000;

/** A random time. */
const anyTime: Moment = { name: 'at any time', comes: (dice) => sleep(dice.between(0, 400)) };

/** A payment request is in progress. Its intent may be committed or not, and its workflow may be started or not. */
const paymentAskedFor = ({ diary }: Load): Moment => ({
  name: 'a payment was just requested',
  async comes(dice) {
    await diary.next('pay');
    await sleep(dice.between(0, 25));
  },
});

interface HeldBack {
  name: string;
  /**
   * Selects the requests that the gateway holds. `before` names the hook that is called before such a request,
   * `operation` is the gateway's operation, and `moved` recognizes the money movement that the request causes.
   */
  before: 'beforePayments' | 'beforeRefunds';
  operation?: string;
  moved: (movement: Movement) => boolean;
}

/**
 * The moment at which the gateway has moved the money but holds its answer. Its event is delayed as well, so the
 * platform does not know of the movement.
 */
function answerHeldBack(load: Load, { name, before, operation, moved }: HeldBack): Moment {
  /** For each remittance, its number of movements before the held request. */
  const movedBefore = new Map<string, number>();
  const movedOf = async (id: string) => (await load.gateway.ledger({ remittance_id: id })).filter(moved).length;
  const hasMoved = async () => {
    for (const [id, count] of movedBefore) if ((await movedOf(id).catch(() => 0)) > count) return true;
    return false;
  };
  return {
    name,
    needsAll: true,
    async comes(_dice, waiting) {
      load[before] = async (id: string | null) => {
        if (id === null) return;
        const count = movedBefore.get(id) ?? (await movedOf(id).catch(() => Infinity));
        await load.gateway.injectFault({
          kind: 'hold_after_capture',
          remittance_id: id,
          ...(operation && { operation }),
        });
        await delayEvents(load, id);
        movedBefore.set(id, count);
      };
      while (!waiting.aborted && !(await hasMoved())) await sleep(POLL_HELD_MS);
    },
    async over() {
      load[before] = null;
      for (const id of movedBefore.keys()) await load.gateway.release({ remittance_id: id });
      movedBefore.clear();
    },
  };
}

const moneyTaken = (load: Load): Moment =>
  answerHeldBack(load, {
    name: 'the money was captured, the answer held',
    before: 'beforePayments',
    moved: ({ kind }) => kind === 'capture',
  });

/**
 * The moment at which the gateway has made a refund but holds its answer. Only our own refunds count: refunds that an
 * accountant makes at the gateway have other idempotency keys.
 */
const moneyGivenBack = (load: Load): Moment =>
  answerHeldBack(load, {
    name: 'the money was refunded, the answer held',
    before: 'beforeRefunds',
    operation: 'refund',
    moved: ({ kind, idempotency_key: key }) => kind === 'refund' && key?.startsWith('refund:') === true,
  });

/** Delays the events of a remittance, so that the workflow discovers the outcome. */
const delayEvents = ({ gateway }: Load, remittanceId: string): Promise<boolean> =>
  gateway.injectFault({ kind: 'delay_events', delay_ms: LATE_MS, remittance_id: remittanceId, times: 20 });

/**
 * The moment at which a capture was just committed to our database. When a part other than the API is to be killed, the
 * gateway's events are delayed, so that the payment's own workflow commits the capture. When the API is to be killed,
 * an event may commit it.
 */
const captureNoted = (load: Load, books: Books, part: Part): Moment => ({
  name: 'a capture was just recorded',
  needsAll: true,
  async comes(_dice, waiting) {
    // The list starts with an id that matches no remittance, because an empty list is invalid SQL. It leaves out the
    // remittances of earlier payments: a late event of theirs must not count as the moment.
    const remittanceIds = new Set(['00000000-0000-0000-0000-000000000000']);
    load.beforePayments = async (id) => {
      if (roleOf(part) !== 'api') await delayEvents(load, id);
      remittanceIds.add(id);
    };
    const countCaptures = () =>
      books.count(
        `processor_captures WHERE remittance_id IN (${[...remittanceIds].map((id) => `'${id}'`).join(', ')})`,
      );
    while (!waiting.aborted && (await countCaptures()) === 0) await sleep(POLL_MS);
  },
  async over() {
    load.beforePayments = null;
  },
});

/** The entry of a gift was just committed to our database. */
const giftRecorded = (books: Books): Moment => ({
  name: 'a gift was just recorded',
  needsAll: true,
  async comes(_dice, waiting) {
    const before = await books.count('donation_entries');
    while (!waiting.aborted && (await books.count('donation_entries')) === before) await sleep(POLL_MS);
  },
});

/** A push is recorded and sent, and the gateway holds its answer. */
const pushUnderWay = ({ phones }: Load): Moment => ({
  name: 'a push was in flight',
  needsAll: true,
  async comes(_dice, waiting) {
    while (!waiting.aborted && !(await phones.holdNext())) await sleep(POLL_HELD_MS);
    while (!waiting.aborted && !(await phones.isHolding())) await sleep(POLL_HELD_MS);
  },
  over: () => phones.release(),
});

/** A payer has paid on a page, and the gateway withholds the event. */
const pagePaidSilently = ({ diary }: Load): Moment => ({
  name: 'a page was paid, its event withheld',
  async comes(_dice, waiting) {
    while (!waiting.aborted && diary.silentlyPaidPages === 0) await sleep(POLL_HELD_MS);
  },
});

const isOfBulletin = (messageId: string): boolean => messageId.startsWith('bulletin.');

/** The mail server has accepted an organization's mail, but the database only shows it as claimed. */
function mailTaken(mailbox: Mailbox, name: string, isMeant: (messageId: string) => boolean): Moment {
  const latest = async () => (await mailbox.mailsOfOrganizations()).findLast(isMeant);
  return {
    name,
    needsAll: true,
    async comes(_dice, waiting) {
      const before = await latest();
      while (!waiting.aborted && (await latest()) === before) await sleep(POLL_MS);
    },
  };
}

const notificationTaken = (mailbox: Mailbox): Moment =>
  mailTaken(mailbox, 'a mail was just accepted', (messageId) => !isOfBulletin(messageId));

const bulletinTaken = (mailbox: Mailbox): Moment =>
  mailTaken(mailbox, 'a mail of a bulletin was just accepted', isOfBulletin);

/** A pledge is being cancelled, while its charge may be in flight. */
const cancellationAskedFor = ({ diary }: Load): Moment => ({
  name: 'the cancellation of a pledge was just requested',
  async comes(dice) {
    await diary.next('cancel pledge');
    await sleep(dice.between(0, 25));
  },
});

/**
 * Returns the moments at which a part is killed. When bugs were planted for this part, returns only the moments at
 * which these bugs do harm.
 */
export function momentsOf(part: Part, plants: readonly Plant[], { load, books, mailbox }: Observed): Moment[] {
  const [taken, noted, givenBack] = [moneyTaken(load), captureNoted(load, books, part), moneyGivenBack(load)];
  if (part === 'push') return [anyTime, pushUnderWay(load)];
  // The gateway is not killed right after a capture is recorded. It answered long before the recording, so the kill
  // would test nothing.
  if (part === 'gateway') return [anyTime, paymentAskedFor(load), taken, givenBack];
  const revealing: Record<string, Partial<Record<Plant, Moment>>> = {
    worker: {
      'no-intent': taken,
      'no-reservation': givenBack,
      'split-settlement': noted,
      'send-before-claim': notificationTaken(mailbox),
      'push-before-claim': pushUnderWay(load),
      'total-outside': giftRecorded(books),
      'cursor-bulletin': bulletinTaken(mailbox),
    },
    temporal: { 'no-sweep': paymentAskedFor(load), 'no-look': pagePaidSilently(load) },
  };
  const matching = plants.flatMap((plant) => revealing[roleOf(part)]?.[plant] ?? []);
  if (matching.length > 0) return matching;
  const anyPart = [
    anyTime,
    paymentAskedFor(load),
    taken,
    noted,
    givenBack,
    giftRecorded(books),
    cancellationAskedFor(load),
  ];
  return roleOf(part) === 'worker' ? [...anyPart, notificationTaken(mailbox), bulletinTaken(mailbox)] : anyPart;
}
