/** Kills the parts in turn, each at different moments, and records what was in flight. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.js';
import { type Moment, momentsOf, type Observed } from './moments.js';
import { type ChaosOptions, type Part, partsOf } from './options.js';
import type { CrashingSupervisor } from './stack/crashingSupervisor.js';

export interface Kill {
  number: number;
  part: Part;
  pid: number;
  moment: string;
  inFlight: string;
  /** Time of the kill, in seconds since the load began. */
  at: number;
  /**
   * Seconds from the kill to the first payment that was requested after it and answered with 200; null when there was
   * none.
   */
  servedAfterSeconds: number | null;
}

const MIN_GAP_MS = 200;
const MAX_GAP_MS = 1_500;
/**
 * Maximum wait until a moment to kill comes, long enough for busy machines. After it, the part is killed anyway, and
 * the moment is tried again at the part's next kill.
 */
const TIMEOUT_MS = 60_000;

export class Killer {
  readonly kills: Kill[] = [];
  private began = 0;
  private readonly moments = new Map<Part, Moment[]>();

  constructor(
    private readonly supervisor: CrashingSupervisor,
    private readonly seen: Observed,
    private readonly dice: Dice,
    private readonly options: ChaosOptions,
    private readonly onKill: (kill: Kill) => void,
  ) {}

  /**
   * Kills parts the given number of times, in rounds over all parts. Two parts may be down at once. @throws Error when
   * a part does not come back
   */
  async kill(times: number, parts: Part[]): Promise<void> {
    this.began = Date.now();
    await Promise.race([this.seen.load.diary.answered('pay'), sleep(TIMEOUT_MS)]);
    let remainingInRound: Part[] = [];
    while (this.kills.length < times) {
      if (remainingInRound.length === 0) remainingInRound = this.dice.shuffled(parts);
      const part = remainingInRound.shift() as Part;
      await sleep(this.dice.between(MIN_GAP_MS, MAX_GAP_MS));
      await this.supervisor.untilUp(part);
      await this.killOnce(part);
    }
  }

  private async killOnce(part: Part): Promise<void> {
    const moment = this.nextMoment(part);
    if (moment.needsAll) await Promise.all(partsOf(this.options).map((other) => this.supervisor.untilUp(other)));
    const giveUp = new AbortController();
    const timeout = sleep(TIMEOUT_MS, 'missed' as const, { signal: giveUp.signal }).catch(() => 'missed' as const);
    const came = moment.comes(this.dice, giveUp.signal).then(
      () => 'came' as const,
      () => 'missed' as const,
    );
    const outcome = await Promise.race([came, timeout]);
    giveUp.abort();
    if (outcome === 'missed') this.moments.get(part)?.unshift(moment);
    const inFlight = this.seen.load.diary.inFlight();
    const pid = this.supervisor.crash(part);
    await moment.over?.();
    if (pid === null) return;
    const at = Math.round((Date.now() - this.began) / 100) / 10;
    const name = outcome === 'came' ? moment.name : 'at last';
    const kill: Kill = {
      number: this.kills.length + 1,
      part,
      pid,
      moment: name,
      inFlight,
      at,
      servedAfterSeconds: null,
    };
    this.kills.push(kill);
    const killed = Date.now();
    void this.seen.load.diary.paidAfter(killed).then((paid) => (kill.servedAfterSeconds = (paid - killed) / 1000));
    this.onKill(kill);
  }

  /**
   * Returns the next moment at which to kill the part. The order is random, but no moment is repeated before all have
   * come.
   */
  private nextMoment(part: Part): Moment {
    const remaining = this.moments.get(part) ?? [];
    if (remaining.length === 0) remaining.push(...this.dice.shuffled(momentsOf(part, this.options.plants, this.seen)));
    this.moments.set(part, remaining);
    return remaining.shift() as Moment;
  }
}
