import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { sequelize } from '../../../models/database/connection.js';
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { Refusal } from '../../../models/errors.js';
import { rememberIntent } from '../../../models/finances/attempts/attempt.js';
import { concludeAttempt } from '../../../models/finances/attempts/concludeAttempt.js';
import { refundCapture } from '../../../models/finances/captures/refundCapture.js';
import { recordRefund } from '../../../models/finances/recordRefund.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import { resolveRemittance } from '../../../models/finances/remittances/resolveRemittance.js';
import { settleRemittance } from '../../../models/finances/remittances/settleRemittance.js';
import { voidInvoice } from '../../../models/finances/voidInvoice.js';
import { expectSoundLedger } from '../../support/ledger.js';
import { closeOwner } from '../../support/owner.js';
import { aProcessor } from '../../support/platform.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';

let world: World;
let processorId: string;

beforeAll(async () => {
  world = await aWorld({ members: 4 });
  processorId = await aProcessor(world);
});

afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

/** Numbers choose among what is there, so that a failing run shrinks to few small steps. */
type Step =
  | { do: 'bill' | 'pay' | 'decline' | 'void'; pick: number }
  | { do: 'gather'; pick: number; many: number }
  | { do: 'capture' | 'event'; pick: number; off: number }
  | { do: 'refund'; pick: number; percent: number }
  | { do: 'resolve'; pick: number; off: number };

const pick = fc.nat(20);
const off = fc.constantFrom(0, 0, 0, -100, 100);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('bill' as const, 'pay' as const, 'pay' as const, 'decline' as const, 'void' as const),
    pick,
  }),
  fc.record({ do: fc.constant('gather' as const), pick, many: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constantFrom('capture' as const, 'capture' as const, 'event' as const), pick, off }),
  fc.record({ do: fc.constant('refund' as const), pick, percent: fc.constantFrom(30, 100) }),
  fc.record({ do: fc.constant('resolve' as const), pick, off }),
);

const choose = <T>(from: T[], index: number): T | undefined =>
  from.length === 0 ? undefined : from[index % from.length];
const here = <T>(work: () => Promise<T>): Promise<T> => inTenant(world.organizationId, work);

interface Open {
  id: string;
  due: number;
}
const openInvoices = () =>
  rows<Open>(
    `SELECT id, balance_due_cents AS due FROM chapter_invoices WHERE chapter_id = $1 AND status IN ('open','partially_paid') ORDER BY id`,
    [world.chapterId],
  );
const remittances = () =>
  rows<{ id: string; total_cents: number; waiting: number | null }>(
    'SELECT id, total_cents, reconciliation_amount_cents AS waiting FROM chapter_remittances ORDER BY id',
  );
const attempts = () =>
  rows<{ id: string; remittance_id: string; amount_cents: number }>(
    `SELECT id, remittance_id, amount_cents FROM payment_attempts WHERE status = 'pending' ORDER BY id`,
  );

async function carryOut(todo: Step): Promise<void> {
  switch (todo.do) {
    case 'bill':
      await anInvoice(world, {
        chapterId: world.chapterId,
        membershipId: choose(world.memberships, todo.pick) ?? null,
        cents: 1_000,
      });
      return;
    case 'gather':
      return here(async () => {
        const shares = (await openInvoices())
          .slice(0, todo.many)
          .map(({ id, due }) => ({ invoice: id, amount_cents: due }));
        if (shares.length > 0) await createRemittance(world.chapterId, shares, world.officer.userId);
      });
    case 'void':
      return here(async () => {
        const invoice = choose(await openInvoices(), todo.pick);
        if (invoice) await voidInvoice(invoice.id, 'Left');
      });
    case 'pay':
      return here(async () => {
        const remittance = choose(await remittances(), todo.pick);
        if (!remittance) return;
        const { attemptId } = await beginPayment(remittance.id, 'pm_card_visa', world.officer.userId);
        await rememberIntent(attemptId, `pi_${attemptId}`);
      });
    case 'decline':
      return here(async () => {
        const attempt = choose(await attempts(), todo.pick);
        if (attempt) await concludeAttempt({ attemptId: attempt.id }, { status: 'failed' });
      });
    case 'capture':
      return here(async () => {
        const attempt = choose(await attempts(), todo.pick);
        if (!attempt) return;
        const charge = {
          remittanceId: attempt.remittance_id,
          processorId,
          intentId: `pi_${attempt.id}`,
          amountCents: Math.max(1, attempt.amount_cents + todo.off),
        };
        const first = await settleRemittance(charge);
        expect(await settleRemittance(charge)).toBe(first);
      });
    case 'event':
      return here(async () => {
        const remittance = choose(await remittances(), todo.pick);
        if (!remittance) return;
        await settleRemittance({
          remittanceId: remittance.id,
          processorId,
          intentId: `pi_${randomUUID()}`,
          amountCents: Math.max(1, remittance.total_cents + todo.off),
        });
      });
    case 'refund':
      return here(async () => {
        const captures = await rows<{ intent_id: string; amount_cents: number }>(
          'SELECT intent_id, amount_cents FROM processor_captures ORDER BY id',
        );
        const capture = choose(captures, todo.pick);
        if (!capture) return;
        const refundedCents = Math.floor((capture.amount_cents * todo.percent) / 100);
        const noted = await refundCapture(processorId, capture.intent_id, refundedCents);
        if (noted.state === 'noted' && noted.ofPaymentsCents > 0)
          await recordRefund({ intentId: capture.intent_id, refundedCents: noted.ofPaymentsCents });
      });
    case 'resolve':
      return here(async () => {
        const remittance = choose(await remittances(), todo.pick);
        if (!remittance) return;
        let left = (remittance.waiting ?? remittance.total_cents) + todo.off;
        const shares = [];
        for (const { id, due } of await openInvoices()) {
          const share = Math.min(due, left);
          if (share > 0) shares.push({ invoice: id, amount_cents: share });
          left -= share;
        }
        if (shares.length > 0) await resolveRemittance(remittance.id, shares, 'Sorted out', world.officer.userId);
      });
  }
}

test('whatever is gathered, paid, captured, voided, refunded and resolved in any order, the books are sound', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const todo of [
        { do: 'bill', pick: 0 },
        { do: 'bill', pick: 1 },
        { do: 'gather', pick: 0, many: 2 },
        { do: 'pay', pick: 0 },
        ...steps,
      ] as Step[]) {
        try {
          await carryOut(todo);
        } catch (error) {
          // A refusal is an answer, and so is a constraint that stands for one; anything else is a fault.
          if (!(error instanceof Refusal) && !translateDatabaseError(error)) throw error;
        }
      }
      await expectSoundLedger();
    }),
    { numRuns: 60 },
  );
}, 120_000);
