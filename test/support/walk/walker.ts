/** Carries out the steps of a walk over HTTP and at the gateway, in a new organization. */
import type { Client, Reply } from '../api.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { applyCredit } from '../../../models/finances/credit/applyCredit.js';
import { asOwner } from '../owner.js';
import { aProcessor, eventually } from '../platform.js';
import { anInvoice, aWorld, type World } from '../world.js';
import type { Deployment } from './deployment.js';
import { accountKeyOf, choose, Outsider } from './outsider.js';
import type { Step, StepOf } from './steps.js';

const FAULTS = {
  none: undefined,
  lost_before_capture: { kind: 'drop_before_capture' },
  lost_after_capture: { kind: 'drop_after_capture' },
  error_after_capture: { kind: 'error_after_capture' },
  captures_less: { kind: 'capture_amount', by: -100 },
  captures_more: { kind: 'capture_amount', by: 100 },
} as const;

const DELIVERIES = {
  once: undefined,
  repeated: { kind: 'duplicate_events', copies: 3 },
  shuffled: { kind: 'shuffle_events', window_ms: 400 },
  late: { kind: 'delay_events', delay_ms: 1_500 },
} as const;

interface Invoice {
  id: string;
  due: number;
}

interface Remittance {
  id: string;
  total: number;
  waiting: number | null;
}

export class Walker {
  private constructor(
    private readonly deployment: Deployment,
    readonly world: World,
    readonly outsider: Outsider,
    private readonly officer: Client,
    private readonly admin: Client,
  ) {}

  static async begin(deployment: Deployment): Promise<Walker> {
    const world = await aWorld({ members: 3 });
    const processorId = await aProcessor(world);
    await deployment.sendEventsOf(processorId, accountKeyOf(processorId));
    const outsider = new Outsider(deployment.gateway.url, world.organizationId, processorId);
    return new Walker(deployment, world, outsider, deployment.client(world.officer), deployment.client(world.admin));
  }

  /** Refusals are expected. @throws Error for an answer that no client should get */
  async take(step: Step): Promise<void> {
    await this.carryOut(step);
    await this.deployment.gatewayControl('DELETE', '/faults');
  }

  private carryOut(step: Step): Promise<unknown> {
    switch (step.do) {
      case 'bill':
        return this.bill(step);
      case 'gather':
        return this.gather(step);
      case 'pay':
        return this.payInTrouble(step);
      case 'pay twice':
        return this.withRemittance(step.pick, ({ id }) => Promise.all([this.pay(id), this.pay(id)]));
      case 'pay rivals':
        return this.payRivals(step);
      case 'void against pay':
        return this.voidAgainstPay(step);
      case 'void':
        return this.void(step.pick);
      case 'resolve':
        return this.resolve(step);
      case 'charge from outside':
        return this.withRemittance(step.pick, ({ id, total }) =>
          this.outsider.charge(id, Math.max(100, total + step.off)),
        );
      case 'pay too much':
        return this.withInvoice('true', step.pick, ({ id, due }) => this.outsider.chargeInvoice(id, due + step.over));
      case 'spend credit':
        return this.spend(step);
      case 'discount':
        return this.discount(step);
      case 'refund':
        return this.outsider.refund(step.pick, step.percent);
      case 'refund fails':
        return this.refundFails(step.pick);
      case 'deliver again':
        return this.withRemittance(step.pick, ({ id }) =>
          this.deployment.gatewayControl('POST', '/events/redeliver', { remittance_id: id }),
        );
      default:
        return this.restart(step);
    }
  }

  /** A bank returns a refund that the gateway had reported as made. */
  private async refundFails(pick: number): Promise<void> {
    const refund = choose(await this.outsider.standingRefunds(), pick);
    if (refund) await this.deployment.gatewayControl('POST', '/refunds', { refund, status: 'failed' });
  }

  private bill({ pick, cents }: StepOf<'bill'>): Promise<string> {
    const { chapterId, memberships } = this.world;
    return anInvoice(this.world, { chapterId, membershipId: choose(memberships, pick) ?? null, cents });
  }

  private async gather({ pick, many }: StepOf<'gather'>): Promise<void> {
    const open = await this.openInvoices();
    const chosen = Array.from({ length: Math.min(many, open.length) }, (_, n) => choose(open, pick + n));
    const allocations = chosen.flatMap((invoice) =>
      invoice ? [{ invoice: invoice.id, amount_cents: invoice.due }] : [],
    );
    if (allocations.length === 0) return;
    await this.asked(this.officer.post('/api/billing/remittances/', { chapter: this.world.chapterId, allocations }));
  }

  private payInTrouble({ pick, card, trouble, events }: StepOf<'pay'>) {
    return this.withRemittance(pick, async ({ id, total }) => {
      const fault = FAULTS[trouble];
      if (fault && 'by' in fault)
        await this.fault({ kind: fault.kind, amount_cents: Math.max(1, total + fault.by), remittance_id: id });
      else if (fault) await this.fault({ ...fault, remittance_id: id });
      if (DELIVERIES[events]) await this.fault(DELIVERIES[events]);
      await this.pay(id, card);
    });
  }

  private payRivals({ pick, other }: StepOf<'pay rivals'>) {
    return this.withRemittance(pick, (one) =>
      this.withRemittance(other, (rival) => Promise.all([this.pay(one.id), this.pay(rival.id)])),
    );
  }

  /** Held: the void certainly happens during the charge; otherwise they race. */
  private voidAgainstPay({ pick, invoice, held }: StepOf<'void against pay'>) {
    return this.withRemittance(pick, async ({ id }) => {
      if (!held) return Promise.all([this.pay(id), this.void(invoice)]);
      await this.fault({ kind: 'hold', remittance_id: id });
      let answered = false;
      const paying = this.pay(id).finally(() => (answered = true));
      const waiting = () => this.deployment.gatewayControl<{ waiting: number }>('GET', '/faults');
      await eventually(waiting, (faults) => answered || faults.waiting > 0);
      await this.void(invoice);
      await this.deployment.gatewayControl('DELETE', '/faults');
      return paying;
    });
  }

  private async void(pick: number): Promise<void> {
    await this.withInvoice("status <> 'void'", pick, ({ id }) =>
      this.asked(this.admin.post(`/api/invoices/${id}/void/`, { reason: 'Left' })),
    );
  }

  /** No endpoint does it yet. */
  private spend({ pick, cents }: StepOf<'spend credit'>) {
    const payable = "status <> 'void' AND balance_due_cents > 0";
    return this.withInvoice(payable, pick, ({ id }) =>
      inTenant(this.world.organizationId, () => applyCredit(id, { upToCents: cents })),
    );
  }

  private discount({ pick, cents }: StepOf<'discount'>) {
    return this.withInvoice("status <> 'void'", pick, ({ id }) =>
      asOwner(
        `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, $3, 'Hardship')`,
        [this.world.organizationId, id, cents],
      ),
    );
  }

  private resolve({ pick, off }: StepOf<'resolve'>) {
    return this.withRemittance(pick, async ({ id, total, waiting }) => {
      let left = (waiting ?? total) + off;
      const allocations = [];
      for (const { id: invoice, due } of await this.openInvoices()) {
        const share = Math.min(due, left);
        if (share > 0) allocations.push({ invoice, amount_cents: share });
        left -= share;
      }
      const body = { allocations, resolution_note: 'Sorted out' };
      if (allocations.length > 0) await this.asked(this.officer.post(`/api/billing/remittances/${id}/resolve/`, body));
    });
  }

  /** The client loses the answer of a payment, and does not repeat the request. */
  private async restart({ program, signal, during, pick }: StepOf<'restart'>): Promise<void> {
    const [{ id } = { id: undefined }] = during ? [choose(await this.remittances(), pick)].flatMap((r) => r ?? []) : [];
    const paying = id === undefined ? undefined : this.pay(id).catch(() => undefined);
    await this.deployment.restart(program, signal);
    await paying;
  }

  private pay(id: string, card = 'pm_card_visa') {
    return this.asked(this.officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: card }));
  }

  private async asked(call: Promise<Reply<{ code?: string }>>): Promise<void> {
    const { status, body } = await call;
    if (status >= 500) throw new Error(`A request was answered with ${status} ${body?.code}.`);
  }

  private async withRemittance(pick: number, work: (remittance: Remittance) => Promise<unknown>): Promise<void> {
    const remittance = choose(await this.remittances(), pick);
    if (remittance) await work(remittance);
  }

  private remittances = () =>
    asOwner<Remittance>(
      `SELECT id, total_cents::int AS total, reconciliation_amount_cents::int AS waiting
         FROM chapter_remittances WHERE organization_id = $1 ORDER BY id DESC`,
      [this.world.organizationId],
    );

  private openInvoices = () => this.invoices("status IN ('open','partially_paid')");

  private invoices = (condition: string) =>
    asOwner<Invoice>(
      `SELECT id, balance_due_cents::int AS due FROM chapter_invoices
        WHERE organization_id = $1 AND ${condition} ORDER BY id`,
      [this.world.organizationId],
    );

  private async withInvoice(condition: string, pick: number, work: (invoice: Invoice) => Promise<unknown>) {
    const invoice = choose(await this.invoices(condition), pick);
    if (invoice) await work(invoice);
  }

  private fault(order: Record<string, unknown>): Promise<unknown> {
    return this.deployment.gatewayControl('POST', '/faults', order);
  }
}
