/** Kills the parts in turn, each at moments in turn, and says what was in flight. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.js';
import { type Moment, momentsOf, type Seen } from './moments.js';
import { type ChaosOptions, type Part, partsOf } from './options.js';
import type { CrashingSupervisor } from './stack/crashingSupervisor.js';

export interface Kill {
  number: number;
  part: Part;
  pid: number;
  moment: string;
  inFlight: string;
  /** Seconds since the load began. */
  at: number;
  /** Until the first payment that was asked for after it was answered with 200; null while there was none. */
  servedAfterSeconds: number | null;
}

const SHORTEST_GAP_MS = 200;
const LONGEST_GAP_MS = 1_500;
/** A moment that does not come in a busy machine's time is not waited for; it is the next one again. */
const PATIENCE_MS = 60_000;

export class Killer {
  readonly kills: Kill[] = [];
  private began = 0;
  private readonly moments = new Map<Part, Moment[]>();

  constructor(
    private readonly supervisor: CrashingSupervisor,
    private readonly seen: Seen,
    private readonly dice: Dice,
    private readonly options: ChaosOptions,
    private readonly told: (kill: Kill) => void,
  ) {}

  /** Kills so often, in rounds over the parts; two may be down at once. @throws Error when a part does not come back */
  async kill(times: number, parts: Part[]): Promise<void> {
    this.began = Date.now();
    await Promise.race([this.seen.load.diary.answered('pay'), sleep(PATIENCE_MS)]);
    let round: Part[] = [];
    while (this.kills.length < times) {
      if (round.length === 0) round = this.dice.shuffled(parts);
      const part = round.shift() as Part;
      await sleep(this.dice.between(SHORTEST_GAP_MS, LONGEST_GAP_MS));
      await this.supervisor.untilUp(part);
      await this.killOnce(part);
    }
  }

  private async killOnce(part: Part): Promise<void> {
    const moment = this.nextMoment(part);
    if (moment.needsAll) await Promise.all(partsOf(this.options).map((other) => this.supervisor.untilUp(other)));
    const giveUp = new AbortController();
    const patience = sleep(PATIENCE_MS, 'missed' as const, { signal: giveUp.signal }).catch(() => 'missed' as const);
    const came = moment.comes(this.dice, giveUp.signal).then(
      () => 'came' as const,
      () => 'missed' as const,
    );
    const outcome = await Promise.race([came, patience]);
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
    this.told(kill);
  }

  /** Each moment once, in an order of its own, before any of them again. */
  private nextMoment(part: Part): Moment {
    const left = this.moments.get(part) ?? [];
    if (left.length === 0) left.push(...this.dice.shuffled(momentsOf(part, this.options.plants, this.seen)));
    this.moments.set(part, left);
    return left.shift() as Moment;
  }
}
