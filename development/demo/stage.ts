/** The setting of the stories: the people, the gateway, and invoices that no story has used yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, DemoClient, DemoFailed, problem } from './client.js';
import type { DemoFacts } from './facts.js';
import { DemoGateway } from './gateway.js';
import { money, screen } from './screen.js';
import { workflowUrl } from './workflowUrl.js';

export interface OpenInvoice {
  id: string;
  balance_due_cents: number | null;
  payer_name: string;
  payment_in_progress: boolean;
}

export interface RemittanceView {
  id: string;
  status: 'draft' | 'processing' | 'settled' | 'needs_reconciliation';
  total_cents: number;
  reconciliation_amount_cents: number | null;
  reconciliation_reason: string | null;
  allocations: {
    invoice: string;
    amount_cents: number;
    payer_name: string | null;
    is_stale: boolean;
    processor_payment_id: string | null;
  }[];
  attempts: { id: string; status: string; workflow_id: string }[];
}

interface InvoicePage {
  count: number;
  results: OpenInvoice[];
}

/** Number of invoices that one run of the demo uses up. */
const INVOICES_PER_RUN = 36;

export class Stage {
  private fresh: OpenInvoice[] = [];

  private constructor(
    readonly treasurer: DemoClient,
    readonly admin: DemoClient,
    /** Null for a real gateway, into which no faults can be injected. */
    readonly gateway: DemoGateway | null,
    readonly organizationId: string,
    readonly chapterId: string,
    private readonly facts: DemoFacts,
  ) {}

  /**
   * Signs in at the first organization whose chapter has enough open invoices. @throws DemoFailed when no chapter has
   */
  static async open(facts: DemoFacts): Promise<Stage> {
    const { control_url: controlUrl, ledger_url: ledgerUrl } = facts.gateway;
    const gateway = controlUrl && ledgerUrl ? new DemoGateway(controlUrl, ledgerUrl) : null;
    for (const { id, slug, users } of facts.organizations) {
      const treasurer = await DemoClient.signIn(facts.base_url, users.officer, slug);
      const admin = await DemoClient.signIn(facts.base_url, users.admin, slug);
      const stage = new Stage(treasurer, admin, gateway, id, users.officer.chapter_id ?? '', facts);
      const open = await stage.collect();
      if (stage.fresh.length >= INVOICES_PER_RUN) {
        screen.done(
          `${users.officer.email} is signed in: treasurer of a chapter of ${slug} with ${open} open member invoices.`,
        );
        return stage;
      }
      screen.note(`The chapter of ${users.officer.email} has only ${open} open member invoices left.`);
    }
    throw new DemoFailed(
      `The demo needs ${INVOICES_PER_RUN} open member invoices, and fewer are left. Issue dues, or restart npm start with another DATA_DIR.`,
    );
  }

  /** Takes invoices that no story has used yet. */
  take(count: number): OpenInvoice[] {
    const invoices = this.fresh.splice(0, count);
    if (invoices.length < count) throw new DemoFailed('The open invoices ran out.');
    return invoices;
  }

  /** Creates a draft for the whole balance of some invoices. */
  async draft(count: number): Promise<RemittanceView> {
    const allocations = this.take(count).map(({ id, balance_due_cents }) => ({
      invoice: id,
      amount_cents: balance_due_cents,
    }));
    const { status, body } = await this.treasurer.post('/api/billing/remittances/', {
      chapter: this.chapterId,
      allocations,
    });
    if (status !== 201) throw new DemoFailed(`The remittance was not created: ${problem(body)}`);
    const remittance = body as unknown as RemittanceView;
    screen.done(`Remittance ${remittance.id} covers ${count} invoices: ${money(remittance.total_cents)}, a draft.`);
    return remittance;
  }

  pay({ id }: RemittanceView, paymentMethod: string): Promise<Answer> {
    return this.treasurer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: paymentMethod });
  }

  read({ id }: RemittanceView): Promise<RemittanceView> {
    return this.treasurer.get<RemittanceView>(`/api/billing/remittances/${id}/`);
  }

  /** Polls until the remittance has the status. */
  async until(remittance: RemittanceView, status: RemittanceView['status'], seconds = 90): Promise<RemittanceView> {
    for (let waited = 0; waited < seconds; waited += 1) {
      const now = await this.read(remittance);
      if (now.status === status) return now;
      await sleep(1000);
    }
    throw new DemoFailed(`The remittance ${remittance.id} was not ${status} after ${seconds} s.`);
  }

  /** Prints the address of each attempt's workflow. */
  async showProcesses(remittance: RemittanceView): Promise<void> {
    for (const { status, workflow_id: workflowId } of (await this.read(remittance)).attempts) {
      screen.note(`its workflow (${status}): ${workflowUrl(this.facts, workflowId)}`);
    }
  }

  /** Loads the invoices with the earliest due dates. @returns the number of all open invoices */
  private async collect(): Promise<number> {
    const query = 'payer_type=member&status=open&page_size=100';
    const page = await this.treasurer.get<InvoicePage>(`/api/chapters/${this.chapterId}/invoices/?${query}`);
    this.fresh = page.results.filter((invoice) => !invoice.payment_in_progress && (invoice.balance_due_cents ?? 0) > 0);
    return page.count;
  }
}
