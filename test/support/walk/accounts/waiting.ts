/** Unmatched money, which waits for a decision. */
import { rows } from '../../../../models/database/rows.js';
import { uuidv7 } from '../../../../models/database/uuid.js';
import { CAPTURE_VERSION_SQL } from '../../../../models/finances/captures/setRefundedTotal.js';
import type { Payer } from '../../../../models/finances/credit/payer.js';
import { flagStrayCapture } from '../../../../models/finances/captures/flagStrayCapture.js';
import {
  type EndingRefund,
  recordRefundSucceeded,
  recordRefundFailed,
} from '../../../../models/finances/captures/captureRefund.js';
import { keepAsCredit, refundUnmatched } from '../../../../models/finances/captures/resolveUnmatched.js';
import { decideCase, readCasePayments } from '../../../../models/finances/cases/resolveCase.js';
import { proposeRepair } from '../../../../models/finances/remittances/repair/proposeRepair.js';
import { refundUnplaced } from '../../../../models/finances/remittances/repair/refundUnplaced.js';
import { resolveAsProposed } from '../../../../models/finances/remittances/repair/resolveAsProposed.js';
import { type Charge, aCharge, readOf, leftOf } from './charge.js';
import type { AccountStage, Does } from './stage.js';

export const waiting: Does<
  'stray' | 'keep stray' | 'give stray back' | 'it goes back' | 'it comes back' | 'place' | 'allocate' | 'close case'
> = {
  stray: (stage, { cents }) => stray(stage, cents),
  'keep stray': (stage, { pick, payer }) => keepStray(stage, pick, stage.payer(payer)),
  'give stray back': (stage, { pick }) => giveStrayBack(stage, pick),
  'it goes back': (stage, { pick, arrives }) => itGoesBack(stage, pick, arrives),
  'it comes back': (stage, { pick }) => itComesBack(stage, pick),
  place: (stage, { pick }) => place(stage, pick),
  allocate: (stage, { pick }) => allocate(stage, pick),
  'close case': (stage, { pick }) => closeCase(stage, pick),
};

/** Money without a purpose here. */
async function stray(stage: AccountStage, amountCents: number): Promise<void> {
  const intentId = `pi_${uuidv7()}`;
  await flagStrayCapture({ processorId: stage.processorId, intentId, amountCents, currency: 'usd' });
  stage.charges.push(aCharge(intentId, amountCents));
}

async function pickStray(stage: AccountStage, pick: number): Promise<string | undefined> {
  const strays = await rows<{ id: string }>(
    `SELECT c.id FROM processor_captures c WHERE c.organization_id = $1 AND c.disposition = 'flagged' AND c.remittance_id IS NULL
        AND NOT EXISTS (SELECT FROM capture_resolutions r WHERE r.capture_id = c.id AND r.status = 'pending') ORDER BY c.id DESC`,
    [stage.organizationId],
  );
  return strays[pick % Math.max(1, strays.length)]?.id;
}

async function keepStray(stage: AccountStage, pick: number, payer: Payer): Promise<void> {
  const id = await pickStray(stage, pick);
  if (id) await keepAsCredit(id, payer, 'Theirs');
}

async function giveStrayBack(stage: AccountStage, pick: number): Promise<void> {
  const id = await pickStray(stage, pick);
  if (id) await refundUnmatched('dues', id, 'Nobody’s');
}

/** A refund that an administrator ordered is made, or fails. */
async function itGoesBack(stage: AccountStage, pick: number, arrives: boolean): Promise<void> {
  const pending = await rows<EndingRefund & { version: string }>(
    `SELECT r.id, r.capture_id AS "captureId", c.processor_id AS "processorId", c.intent_id AS "intentId",
            r.amount_cents AS "amountCents", 'Cards' AS label, ${CAPTURE_VERSION_SQL} AS version
       FROM capture_resolutions r JOIN processor_captures c ON c.id = r.capture_id
      WHERE r.organization_id = $1 AND r.status = 'pending' ORDER BY r.id`,
    [stage.organizationId],
  );
  const giving = pending[pick % Math.max(1, pending.length)];
  if (!giving) return;
  const charge = stage.charges.find(({ intent }) => intent === giving.intentId) as Charge;
  charge.read = true;
  const gatewayRefundId = `re_${giving.id}`;
  const goes = arrives && giving.amountCents <= leftOf(charge);
  if (goes) charge.given.push({ gatewayRefundId, cents: giving.amountCents, failed: false });
  const read = readOf(charge, giving.version);
  if (goes) await recordRefundSucceeded(giving, gatewayRefundId, read);
  else await recordRefundFailed(giving, { gatewayRefundId: null, failureCode: 'refused' }, read);
}

/** A bank returns that refund later. */
async function itComesBack(stage: AccountStage, pick: number): Promise<void> {
  const gone = stage.charges.flatMap((charge) =>
    charge.given.filter(({ failed }) => !failed).map((one) => ({ charge, one })),
  );
  const { charge, one } = gone[pick % Math.max(1, gone.length)] ?? {};
  if (!charge || !one) return;
  one.failed = true;
  await stage.note(charge);
}

/** Flagged money of a remittance goes to its proposal; what no invoice can take is refunded. */
async function place(stage: AccountStage, pick: number): Promise<void> {
  const waiting = await rows<{ id: string }>(
    `SELECT r.id FROM chapter_remittances r WHERE r.organization_id = $1 AND r.reconciliation_flagged_at IS NOT NULL
        AND (r.resolved_at IS NULL OR r.resolved_at < r.reconciliation_flagged_at) ORDER BY r.id`,
    [stage.organizationId],
  );
  const id = waiting[pick % Math.max(1, waiting.length)]?.id;
  if (!id) return;
  const { unplaced_cents, refunding_cents, proposal_hash } = await proposeRepair(id);
  if (refunding_cents > 0) return;
  if (unplaced_cents > 0) await refundUnplaced(id, proposal_hash, 'Nobody can take it');
  else await resolveAsProposed(id, proposal_hash, 'As proposed', stage.world.officer.userId);
}

/** An administrator decides whose refund it was, for a charge of several invoices. */
async function allocate(stage: AccountStage, pick: number): Promise<void> {
  const open = await rows<{ id: string; cents: number }>(
    `SELECT id, amount_cents AS cents FROM money_cases WHERE organization_id = $1 AND status = 'open' AND capture_id IS NOT NULL ORDER BY id DESC`,
    [stage.organizationId],
  );
  const one = open[pick % Math.max(1, open.length)];
  if (!one) return;
  const shares = await readCasePayments(one.id);
  const turned = [...shares.slice(pick % shares.length), ...shares.slice(0, pick % shares.length)];
  let left = one.cents;
  const allocations = turned.flatMap(({ invoice, left_cents }) => {
    const amount_cents = Math.min(left, left_cents);
    left -= amount_cents;
    return amount_cents > 0 ? [{ invoice, amount_cents }] : [];
  });
  if (left > 0) return;
  await decideCase(one.id, { resolution: 'allocated', allocations, note: 'Theirs' }, stage.world.officer.userId);
}

async function closeCase(stage: AccountStage, pick: number): Promise<void> {
  const open = await rows<{ id: string }>(
    `SELECT id FROM money_cases WHERE organization_id = $1 AND status = 'open' AND capture_id IS NULL AND kind <> 'remittance_flagged' ORDER BY id DESC`,
    [stage.organizationId],
  );
  const id = open[pick % Math.max(1, open.length)]?.id;
  if (id) await decideCase(id, { resolution: 'corrected', note: 'By bank' }, stage.world.officer.userId);
}
