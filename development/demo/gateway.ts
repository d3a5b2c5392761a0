/** The control port of the stand-in gateway, which injects faults. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DemoFailed } from './client.js';

/** The payments of one remittance or pledge. */
type Subject = { remittance_id: string } | { pledge_id: string };

const Waiting = z.object({ waiting: z.number() });
const Moved = z.array(z.object({ kind: z.string(), amount_cents: z.number(), payment_intent: z.string() }));
export type Movement = z.infer<typeof Moved>[number];

export class DemoGateway {
  constructor(
    private readonly controlUrl: string,
    private readonly ledgerUrl: string,
  ) {}

  /** Injects a fault into the next charges of a remittance or pledge. */
  async injectFault(kind: 'drop_after_capture' | 'hold', subject: Subject, times = 1): Promise<void> {
    await this.ask('POST', '/faults', { kind, times, ...subject });
  }

  /** Drops each request to open a charge of the subject, until the faults are removed. */
  async refuseCharges(subject: Subject): Promise<void> {
    await this.ask('POST', '/faults', {
      kind: 'drop_before_capture',
      operation: 'create',
      times: 1_000_000,
      ...subject,
    });
  }

  /** Address at which a DELETE request removes all faults. */
  get faultsUrl(): string {
    return `${this.controlUrl}/faults`;
  }

  /** Waits until the gateway holds a charge. */
  async waitUntilHeld(): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      if (Waiting.parse(await this.ask('GET', '/faults')).waiting > 0) return;
      await sleep(100);
    }
    throw new DemoFailed('No charge arrived at the gateway.');
  }

  async release(subject: Subject): Promise<void> {
    await this.ask('POST', '/release', subject);
  }

  /** Lets the bank return a refund, as it may days after the refund succeeded. */
  async bounceRefund(gatewayRefundId: string): Promise<void> {
    await this.ask('POST', '/refunds', { refund: gatewayRefundId, status: 'failed' });
  }

  /** Returns the money that actually moved for a remittance. */
  async moved(remittanceId: string): Promise<Movement[]> {
    const answer = await fetch(`${this.ledgerUrl}?remittance_id=${remittanceId}`);
    return Moved.parse(await answer.json());
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(this.controlUrl + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new DemoFailed(`The gateway's control port answered ${answer.status}.`);
    return answer.json();
  }
}
