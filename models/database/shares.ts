/** Places that many claim at the same time, handed out so that nobody's burst takes what the others need. */
import { refuse } from '../errors.js';

export interface SharesOptions {
  /** All places. */
  places: number;
  /** The most that one claimant holds. */
  share: number;
  /** The last free ones: only for who holds none. */
  reserve: number;
  /** Claims of one claimant that may wait; who comes after them is refused at once. */
  mostWaiting: number;
  waitMs: number;
}

/** Gives a place back. */
export type Release = () => void;

interface Claim {
  since: number;
  begun: boolean;
  grant: (release: Release) => void;
}

/** Seconds after which a burst is likely to be over. */
const COME_BACK_SECONDS = 3;
/** What has been begun is not given up for a crowd that came later. */
const PATIENCE_FACTOR = 4;

export class Shares {
  private readonly held = new Map<string, number>();
  private readonly waiting = new Map<string, Claim[]>();
  private inUse = 0;
  private claims = 0;

  constructor(private readonly options: SharesOptions) {}

  /** Claims that wait. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Waits for a place, shortly.
   * @param begun whether this continues something: it goes first and waits longer
   * @throws Refusal busy
   */
  async take(claimant: string, begun = false): Promise<Release> {
    if (this.mayTake(claimant)) return this.place(claimant);
    const queue = this.waiting.get(claimant) ?? [];
    if (!begun && queue.length >= this.options.mostWaiting) throw busy();
    return this.wait(claimant, begun, queue);
  }

  private wait(claimant: string, begun: boolean, queue: Claim[]): Promise<Release> {
    return new Promise((resolve, reject) => {
      const claim: Claim = {
        since: this.claims++,
        begun,
        grant: (release) => {
          clearTimeout(deadline);
          resolve(release);
        },
      };
      const waitMs = this.options.waitMs * (begun ? PATIENCE_FACTOR : 1);
      const deadline = setTimeout(() => {
        this.leave(claimant, claim);
        reject(busy());
      }, waitMs).unref();
      const newcomers = queue.findIndex((other) => !other.begun);
      queue.splice(begun && newcomers >= 0 ? newcomers : queue.length, 0, claim);
      this.waiting.set(claimant, queue);
    });
  }

  private mayTake(claimant: string): boolean {
    const { places, share, reserve } = this.options;
    const held = this.held.get(claimant) ?? 0;
    const free = places - this.inUse;
    return free > 0 && held < share && (held === 0 || free > reserve);
  }

  private place(claimant: string): Release {
    this.inUse += 1;
    this.held.set(claimant, (this.held.get(claimant) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.inUse -= 1;
      const left = (this.held.get(claimant) ?? 1) - 1;
      if (left > 0) this.held.set(claimant, left);
      else this.held.delete(claimant);
      this.handOn();
    };
  }

  /** Who holds least comes next; of equals, who has waited longest. */
  private handOn(): void {
    for (let next = this.next(); next; next = this.next()) {
      const [claimant, claim] = next;
      this.leave(claimant, claim);
      claim.grant(this.place(claimant));
    }
  }

  private next(): [string, Claim] | undefined {
    let best: [claimant: string, claim: Claim, held: number] | undefined;
    for (const [claimant, [claim]] of this.waiting) {
      if (!claim || !this.mayTake(claimant)) continue;
      const held = this.held.get(claimant) ?? 0;
      if (!best || held < best[2] || (held === best[2] && claim.since < best[1].since)) best = [claimant, claim, held];
    }
    return best && [best[0], best[1]];
  }

  private leave(claimant: string, claim: Claim): void {
    const queue = this.waiting.get(claimant) ?? [];
    const at = queue.indexOf(claim);
    if (at >= 0) queue.splice(at, 1);
    if (queue.length === 0) this.waiting.delete(claimant);
  }
}

const busy = () => refuse.busy(undefined, undefined, { 'Retry-After': String(COME_BACK_SECONDS) });
