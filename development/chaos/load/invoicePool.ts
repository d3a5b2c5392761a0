/** Open invoices of one chapter that nobody in this run has used yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Person } from './person.js';

const Listed = z.object({
  results: z.array(z.object({ id: z.string(), balance_due_cents: z.number(), payment_in_progress: z.boolean() })),
});

export interface OpenInvoice {
  id: string;
  cents: number;
}

const PAUSE_MS = 200;

export class InvoicePool {
  private fresh: OpenInvoice[] = [];
  private readonly seen = new Set<string>();
  private filling: Promise<void> | null = null;

  /** @param billMore is called when the list holds nothing new */
  constructor(
    private readonly officer: Person,
    private readonly chapterId: string,
    private readonly billMore: () => Promise<void>,
    private readonly dayIsOver: () => boolean,
  ) {}

  /** Takes so many, or fewer when the day ends before there are as many. */
  async take(count: number): Promise<OpenInvoice[]> {
    while (this.fresh.length < count && !this.dayIsOver()) {
      await (this.filling ??= this.fill().finally(() => (this.filling = null)));
    }
    return this.fresh.splice(0, count);
  }

  private async fill(): Promise<void> {
    const query = 'payer_type=member&status=open&ordering=-due_date&page_size=100';
    const { status, body } = await this.officer.insist(
      'list',
      'GET',
      `/api/chapters/${this.chapterId}/invoices/?${query}`,
    );
    const listed = status === 200 ? Listed.parse(body).results : [];
    const fresh = listed.filter(
      ({ id, balance_due_cents: due, payment_in_progress: reserved }) => due > 0 && !reserved && !this.seen.has(id),
    );
    for (const { id, balance_due_cents: cents } of fresh) {
      this.seen.add(id);
      this.fresh.push({ id, cents });
    }
    if (fresh.length > 0) return;
    // Not billed when the database is away: the next round tries again.
    if (status === 200) await this.billMore().catch(() => undefined);
    await sleep(PAUSE_MS);
  }
}
