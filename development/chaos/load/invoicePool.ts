/** Open invoices of one chapter that have not been used in this run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Person } from './person.js';

const InvoiceList = z.object({
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

  /** @param billMore called when the list contains no new invoices */
  constructor(
    private readonly officer: Person,
    private readonly chapterId: string,
    private readonly billMore: () => Promise<void>,
    private readonly dayIsOver: () => boolean,
  ) {}

  /** Takes the given number of invoices, or fewer when the run ends first. */
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
    const listed = status === 200 ? InvoiceList.parse(body).results : [];
    const fresh = listed.filter(
      ({ id, balance_due_cents: due, payment_in_progress: reserved }) => due > 0 && !reserved && !this.seen.has(id),
    );
    for (const { id, balance_due_cents: cents } of fresh) {
      this.seen.add(id);
      this.fresh.push({ id, cents });
    }
    if (fresh.length > 0) return;
    // When the database is down no invoices are issued, and the next round tries again.
    if (status === 200) await this.billMore().catch(() => undefined);
    await sleep(PAUSE_MS);
  }
}
