/** Instalments: asked for, frozen meanwhile, granted, paid; a reminder that a payment overtakes; what is taken away, and standing proven without a figure. */
import { randomUUID } from 'node:crypto';
import { config } from '../../config.js';
import { DemoClient, DemoFailed, made, type Page, problem, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { money, screen } from './screen.js';
import { takeAlong, until } from './takeAlong.js';

/** @throws DemoFailed */
export async function payInParts(facts: DemoFacts): Promise<boolean> {
  screen.chapter('Instalments: who cannot pay at once asks, and nobody duns them meanwhile');
  const story = await Story.open(facts);
  const request = await story.ask();
  const plan = await story.grant(request);
  await story.pay(plan);
  await story.grantMany();
  await story.remind();
  await story.takeAlong();
  return true;
}

interface Plan extends Row {
  invoice: string;
  next_due_date: string | null;
  installments: { sequence: number; due_date: string; amount_cents: number; is_met: boolean }[];
}
interface Asked extends Row {
  invoice: string;
  freeze_expires_at: string | null;
  installments: { due_date: string; amount_cents: number }[];
}

class Story {
  private constructor(
    private readonly facts: DemoFacts,
    private readonly organization: string,
    private readonly chapter: string,
    readonly admin: DemoClient,
    private readonly officer: DemoClient,
    readonly member: DemoClient,
    private readonly invoices: Row[],
  ) {}

  static async open(facts: DemoFacts): Promise<Story> {
    const [{ id, slug, users }] = facts.organizations as [DemoFacts['organizations'][number]];
    const as = (person: typeof users.admin) => DemoClient.signIn(facts.base_url, person, slug);
    const [admin, officer, member] = [await as(users.admin), await as(users.officer), await as(users.member)];
    const offered = { payment_plans_enabled: true, plan_min_first_payment_cents: 0, auto_approve_within_limits: false };
    await made(admin.patch(`/api/organizations/${id}/dues-settings/`, offered));
    const chapter = users.officer.chapter_id ?? '';
    const open = await officer.get<Page>(
      `/api/chapters/${chapter}/invoices/?payer_type=member&status=open&page_size=100&ordering=-due_date`,
    );
    const free = open.results.filter((one) => Number(one['balance_due_cents']) >= 300 && !one['payment_in_progress']);
    if (free.length < 4) throw new DemoFailed('A run needs four open member invoices, and there are not enough left.');
    return new Story(facts, id, chapter, admin, officer, member, free);
  }

  /** The officer asks for the next member of whom nobody has asked yet. */
  private async askFor(firstIn: number): Promise<Asked> {
    for (let invoice = this.invoices.shift(); invoice; invoice = this.invoices.shift()) {
      const { status, body } = await this.officer.post('/api/billing/plan-requests/', {
        invoice: invoice.id,
        justification: 'Between two jobs.',
        installment_count: 3,
        first_due_date: inDays(firstIn),
        interval: 'monthly',
      });
      if (status === 201) return body as Asked;
      if (status !== 409) throw new DemoFailed(`It could not be asked for: ${problem(body)}`);
    }
    throw new DemoFailed('No invoice is left that is not paid by instalments already.');
  }

  async ask(): Promise<Asked> {
    screen.chapter('1. The treasurer asks for a member, and the invoice is frozen');
    const asked = await this.askFor(5);
    screen.done(`Three parts: ${asked.installments.map(({ amount_cents: cents }) => money(cents)).join(', ')}.`);
    screen.done(`Until ${asked.freeze_expires_at ?? 'now'} it is neither marked overdue nor reminded of.`);
    await this.showProcess(asked.id, 'running');
    const again = await this.officer.post(`/api/invoices/${asked.invoice}/remind/`, {});
    screen.note(`a reminder all the same: ${again.status} ${String(again.body['code'])}`);
    return asked;
  }

  async grant(asked: Asked): Promise<Plan> {
    screen.chapter('2. An administrator grants it, and the due date moves to the first row');
    const review = `${this.requests}${asked.id}/review/`;
    const own = await this.officer.post(review, { decision: 'approve' });
    screen.note(`the treasurer decides nothing: ${own.status} ${String(own.body['code'])}`);
    const { plan } = await made(this.admin.post(review, { decision: 'approve' }));
    const granted = plan as Plan;
    for (const { due_date: due, amount_cents: cents } of granted.installments) screen.note(`${due}: ${money(cents)}`);
    const invoice = await this.invoice(asked.invoice);
    screen.done(
      `The invoice is due on ${String(invoice['due_date'])}, and was on ${String(invoice['original_due_date'])}.`,
    );
    await this.showProcess(asked.id, 'decided');
    return granted;
  }

  async pay({ id, invoice, installments }: Plan): Promise<void> {
    screen.chapter('3. The first part is paid, and the due date moves on by itself');
    const [first, second] = installments;
    await this.payByHand(invoice, first?.amount_cents ?? 0);
    const { due_date: due } = await this.invoice(invoice);
    if (due !== second?.due_date) throw new DemoFailed(`The invoice is due on ${String(due)}.`);
    screen.done(`Due on ${String(due)} now, though nobody has ticked anything.`);
    await made(this.officer.post(`${this.plans}${id}/installments/1/reconcile/`, { note: 'In cash, at the meeting.' }));
    screen.done('The treasurer ticks the row. It changes no balance.');
  }

  async grantMany(): Promise<void> {
    screen.chapter('4. All that keeps to the limits is granted in one go, as previewed');
    await this.askFor(6);
    await this.askFor(7);
    const path = `${this.requests}bulk-approve-in-policy/`;
    const preview = await made(this.admin.post(path, { dry_run: true }));
    const skipped = preview['skipped'] as unknown[];
    screen.step(`the preview: ${(preview['approved'] as string[]).length} would be granted, ${skipped.length} skipped`);
    const { body: run } = await this.admin.post(path, { preview_hash: preview['preview_hash'] });
    const ended = await until(
      () => this.admin.get<Row>(`${this.requests}bulk-approvals/${String(run['id'])}/`),
      ({ status }) => status === 'approved',
    );
    screen.done(
      `${String(ended['done'])} of ${String(ended['total'])} have a result; each was a transaction of its own.`,
    );
    screen.note(this.workflow(String(ended['workflow_id'])));
  }

  async remind(): Promise<void> {
    screen.chapter('5. A reminder, and a payment that overtakes it');
    const invoice = this.invoices.shift();
    if (!invoice) return screen.note('Left out: no open invoice is left.');
    await made(this.officer.post(`/api/invoices/${invoice.id}/remind/`, {}), 201);
    await this.payByHand(invoice.id, Number(invoice['balance_due_cents']));
    screen.done('Reminded, and paid at once: a mail that has not left by then finds nothing due, and is left out.');
    if (this.facts.mail_url) screen.note(`what was mailed: ${this.facts.mail_url}`);
  }

  takeAlong(): Promise<void> {
    return takeAlong(this.facts, this, this.organization, this.chapter);
  }

  private get requests(): string {
    return `/api/hq/dues/${this.organization}/plan-requests/`;
  }

  private get plans(): string {
    return `/api/hq/dues/${this.organization}/payment-plans/`;
  }

  private invoice(id: string): Promise<Row> {
    return this.admin.get<Row>(`/api/invoices/${id}/`);
  }

  async payByHand(invoice: string, amount_cents: number): Promise<void> {
    const paid = { method: 'cash', reference: 'Receipt 1', received_on: inDays(-1), idempotency_key: randomUUID() };
    await made(this.admin.post(`/api/invoices/${invoice}/payments/`, { ...paid, amount_cents }), 201);
  }

  private workflow(id: string): string {
    return `${this.facts.temporal_ui_url}/namespaces/${config.TEMPORAL_NAMESPACE}/workflows/${encodeURIComponent(id)}`;
  }

  /** Waits until the window's process stands there, and says where to look. */
  private async showProcess(request: string, stage: string): Promise<void> {
    await until(
      async () => (await this.admin.get<Page>(`/api/processes/?subject=${request}`)).results[0] ?? null,
      (process) => process?.['stage'] === stage,
    );
    screen.note(`its process (${stage}): ${this.workflow(`plan-freeze/${request}`)}`);
  }
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
