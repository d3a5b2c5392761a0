/** The current rows in the organization of a walk: numbers choose among them. */
import { firstRow, oneRow, rows } from '../../../../models/database/rows.js';
import { CAPTURE_VERSION_SQL } from '../../../../models/finances/captures/setRefundedTotal.js';
import { refundCapture } from '../../../../models/finances/captures/refundCapture.js';
import type { Payer } from '../../../../models/finances/credit/payer.js';
import { aProcessor } from '../../../models/finances/ledger.support.js';
import { asOwner } from '../../owner.js';
import { aWorld, type Person, type World } from '../../world.js';
import type { AccountStep } from '../accountSteps.js';
import { type Charge, readOf } from './charge.js';

/** How steps of these kinds are carried out, in a transaction of the tenant. */
export type Does<Kind extends AccountStep['do']> = {
  [One in Kind]: (stage: AccountStage, step: Extract<AccountStep, { do: One }>) => Promise<unknown>;
};

export class AccountStage {
  readonly invoices: string[] = [];
  readonly charges: Charge[] = [];
  /** The current and former memberships of each member. */
  readonly places = new Map<number, { now: Payer; before: Payer }>();

  private constructor(
    readonly world: World,
    readonly processorId: string,
  ) {}

  static async begin(): Promise<AccountStage> {
    const world = await aWorld({ members: 1 });
    await asOwner('UPDATE org_dues_settings SET payment_plans_enabled = true WHERE organization_id = $1', [
      world.organizationId,
    ]);
    return new AccountStage(world, await aProcessor(world.organizationId));
  }

  get organizationId(): string {
    return this.world.organizationId;
  }

  payer(n: number): Payer {
    return (
      this.places.get(n)?.now ?? {
        chapterId: this.world.chapterId,
        membershipId: this.members[n]?.membershipId ?? null,
      }
    );
  }

  get members(): Person[] {
    return [this.world.member, this.world.officer];
  }

  /** One of the newest: steps on these are the most useful. */
  invoice(pick: number): string | undefined {
    return this.invoices.at(-1 - (pick % Math.max(1, Math.min(8, this.invoices.length))));
  }

  charge(pick: number): Charge | undefined {
    return this.charges.at(-1 - (pick % Math.max(1, Math.min(12, this.charges.length))));
  }

  /** The provider reports the refunds of a charge: by an event, or in an answer. */
  async note(charge: Charge): Promise<void> {
    const { intent, refunded, read } = charge;
    const { version } = await oneRow<{ version: string }>(
      `SELECT ${CAPTURE_VERSION_SQL} AS version FROM processor_captures c WHERE c.intent_id = $1`,
      [intent],
    );
    const known = await refundCapture(this.processorId, intent, read ? readOf(charge, version) : refunded);
    if (known.state === 'unknown') throw new Error(`The capture of ${intent} is not on record.`);
  }

  /** Refunds that were not begun by a step. */
  async rememberNew(): Promise<void> {
    const known = this.charges.flatMap(({ own }) => own.map(({ id }) => id));
    const begun = await rows<{ id: string }>(
      `SELECT id FROM refunds WHERE organization_id = $1 AND capture_id IS NOT NULL AND id <> ALL ($2) ORDER BY id`,
      [this.organizationId, known],
    );
    await this.remember(begun.map(({ id }) => id));
  }

  /** Refunds whose outcome the provider still has to report. */
  async remember(refunds: string[]): Promise<void> {
    for (const id of refunds) {
      const made = await firstRow<{ cents: number; intent: string }>(
        `SELECT r.amount_cents AS cents, c.intent_id AS intent FROM refunds r JOIN processor_captures c ON c.id = r.capture_id
          WHERE r.id = $1`,
        [id],
      );
      // Manual payments were refunded manually.
      if (!made) continue;
      const charge = this.charges.find(({ intent }) => intent === made.intent) as Charge;
      charge.own.push({ id, cents: made.cents, status: null });
      charge.read = true;
    }
  }
}
