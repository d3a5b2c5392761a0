/**
 * The installment story: a plan is requested (the invoice is frozen meanwhile), granted and paid, and all requests
 * within the limits are granted at once. Then a reminder that is not sent because a payment arrives first, an export of
 * a chapter's invoices, and a proof of good standing without an amount.
 */
import { randomUUID } from 'node:crypto';
import { DemoClient, DemoFailed, expectStatus, type Page, problem, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { money, screen } from './screen.js';
import { exportAndProve, until } from './exportAndProve.js';
import { workflowUrl } from './workflowUrl.js';

/**
 * Plays the installment story, from the request of a plan to the proof of good standing.
 * @throws DemoFailed
 */
export async function payInParts(facts: DemoFacts): Promise<boolean> {
  screen.chapter('Installments: a member asks to pay in parts, and is not reminded meanwhile');
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
interface PlanRequest extends Row {
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
    await expectStatus(admin.patch(`/api/organizations/${id}/dues-settings/`, offered));
    const chapter = users.officer.chapter_id ?? '';
    const open = await officer.get<Page>(
      `/api/chapters/${chapter}/invoices/?payer_type=member&status=open&page_size=100&ordering=-due_date`,
    );
    const free = open.results.filter((one) => Number(one['balance_due_cents']) >= 300 && !one['payment_in_progress']);
    if (free.length < 4) throw new DemoFailed('The demo needs four open member invoices, and fewer are left.');
    return new Story(facts, id, chapter, admin, officer, member, free);
  }

  /** Requests a plan for the next invoice that has no request yet. */
  private async requestPlan(firstIn: number): Promise<PlanRequest> {
    for (let invoice = this.invoices.shift(); invoice; invoice = this.invoices.shift()) {
      const { status, body } = await this.officer.post('/api/billing/plan-requests/', {
        invoice: invoice.id,
        justification: 'Between two jobs.',
        installment_count: 3,
        first_due_date: inDays(firstIn),
        interval: 'monthly',
      });
      if (status === 201) return body as PlanRequest;
      if (status !== 409) throw new DemoFailed(`The plan could not be requested: ${problem(body)}`);
    }
    throw new DemoFailed('No invoice without a plan is left.');
  }

  async ask(): Promise<PlanRequest> {
    screen.chapter('1. The treasurer requests a plan for a member, and the invoice is frozen');
    const planRequest = await this.requestPlan(5);
    screen.done(`Three parts: ${planRequest.installments.map(({ amount_cents: cents }) => money(cents)).join(', ')}.`);
    screen.done(`Until ${planRequest.freeze_expires_at ?? 'now'} the invoice is neither marked overdue nor reminded.`);
    await this.showProcess(planRequest.id, 'running');
    const again = await this.officer.post(`/api/invoices/${planRequest.invoice}/remind/`, {});
    screen.note(`a manual reminder is refused: ${again.status} ${String(again.body['code'])}`);
    return planRequest;
  }

  async grant(planRequest: PlanRequest): Promise<Plan> {
    screen.chapter('2. An administrator grants it, and the due date moves to the first installment');
    const review = `${this.requests}${planRequest.id}/review/`;
    const own = await this.officer.post(review, { decision: 'approve' });
    screen.note(`the treasurer may not decide: ${own.status} ${String(own.body['code'])}`);
    const { plan } = await expectStatus(this.admin.post(review, { decision: 'approve' }));
    const granted = plan as Plan;
    for (const { due_date: due, amount_cents: cents } of granted.installments) screen.note(`${due}: ${money(cents)}`);
    const invoice = await this.invoice(planRequest.invoice);
    screen.done(
      `The invoice is due on ${String(invoice['due_date'])}; before, on ${String(invoice['original_due_date'])}.`,
    );
    await this.showProcess(planRequest.id, 'decided');
    return granted;
  }

  async pay({ id, invoice, installments }: Plan): Promise<void> {
    screen.chapter('3. The first part is paid, and the due date moves on automatically');
    const [first, second] = installments;
    await this.payByHand(invoice, first?.amount_cents ?? 0);
    const { due_date: due } = await this.invoice(invoice);
    if (due !== second?.due_date) throw new DemoFailed(`The invoice is due on ${String(due)}.`);
    screen.done(`Due on ${String(due)} now, without any manual reconciliation.`);
    await expectStatus(
      this.officer.post(`${this.plans}${id}/installments/1/reconcile/`, { note: 'In cash, at the meeting.' }),
    );
    screen.done('The treasurer marks the installment as reconciled. That changes no balance.');
  }

  async grantMany(): Promise<void> {
    screen.chapter('4. All requests within the limits are granted at once, as previewed');
    await this.requestPlan(6);
    await this.requestPlan(7);
    const path = `${this.requests}bulk-approve-in-policy/`;
    const preview = await expectStatus(this.admin.post(path, { dry_run: true }));
    const skipped = preview['skipped'] as unknown[];
    screen.step(`the preview: ${(preview['approved'] as string[]).length} would be granted, ${skipped.length} skipped`);
    const { body: run } = await this.admin.post(path, { preview_hash: preview['preview_hash'] });
    const ended = await until(
      () => this.admin.get<Row>(`${this.requests}bulk-approvals/${String(run['id'])}/`),
      ({ status }) => status === 'approved',
    );
    screen.done(`${String(ended['done'])} of ${String(ended['total'])} are decided, each in its own transaction.`);
    screen.note(this.workflow(String(ended['workflow_id'])));
  }

  async remind(): Promise<void> {
    screen.chapter('5. A reminder, and a payment that overtakes it');
    const invoice = this.invoices.shift();
    if (!invoice) return screen.note('Skipped: no open invoice is left.');
    await expectStatus(this.officer.post(`/api/invoices/${invoice.id}/remind/`, {}), 201);
    await this.payByHand(invoice.id, Number(invoice['balance_due_cents']));
    screen.done('Reminded, then paid at once: a mail that is not sent by then finds no balance and is not sent.');
    if (this.facts.mail_url) screen.note(`the mails sent: ${this.facts.mail_url}`);
  }

  takeAlong(): Promise<void> {
    return exportAndProve(this.facts, this, this.organization, this.chapter);
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
    await expectStatus(this.admin.post(`/api/invoices/${invoice}/payments/`, { ...paid, amount_cents }), 201);
  }

  private workflow(id: string): string {
    return workflowUrl(this.facts, id);
  }

  /** Waits until the workflow reaches the stage, and prints its address. */
  private async showProcess(request: string, stage: string): Promise<void> {
    await until(
      async () => (await this.admin.get<Page>(`/api/processes/?subject=${request}`)).results[0] ?? null,
      (process) => process?.['stage'] === stage,
    );
    screen.note(`its workflow (${stage}): ${this.workflow(`plan-freeze/${request}`)}`);
  }
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
