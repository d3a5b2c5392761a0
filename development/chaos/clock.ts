/** Triggers the overdue schedule repeatedly, each time with new overdue invoices. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.js';
import { bill } from './load/billing.js';
import type { Processes } from './processes.js';

const MIN_PAUSE_MS = 3_000;
const MAX_PAUSE_MS = 12_000;

export class Clock {
  triggered = 0;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly processes: Processes,
    private readonly ownerUrl: string,
    private readonly dice: Dice,
  ) {}

  /**
   * Begins to trigger the schedule.
   * @param places chapters that get past-due invoices
   */
  begin(places: { organizationId: string; chapterId: string }[]): void {
    this.running = this.tick(places);
  }

  async end(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async tick(places: { organizationId: string; chapterId: string }[]): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await bill(this.ownerUrl, { ...this.dice.oneOf(places), members: 3, cents: 2_000, dueInDays: -3 });
        await this.processes.triggerSchedules();
        this.triggered += 1;
      } catch {
        // The database or Temporal is down; the next round tries again.
      }
      await sleep(this.dice.between(MIN_PAUSE_MS, MAX_PAUSE_MS), undefined, { signal }).catch(() => undefined);
    }
  }
}
