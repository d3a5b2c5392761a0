/** A small ledger made by the real operations: a settled and a flagged remittance, credit, a refund. */
import '../../../models/wireAreas.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { recordIntent } from '../../../models/finances/attempts/attempt.js';
import { beginPayment } from '../../../models/finances/remittances/beginPayment.js';
import { createRemittance } from '../../../models/finances/remittances/createRemittance.js';
import { settleRemittance } from '../../../models/finances/remittances/settleRemittance.js';
import { asOwner } from '../../support/owner.js';
import { anInvoice, aWorld, type World } from '../../support/world.js';

export const ownerUrl = (): string => process.env['DATABASE_OWNER_URL'] as string;

/** The first column of the first row. */
export const one = async (text: string, values: unknown[] = []): Promise<string> =>
  Object.values((await asOwner(text, values))[0] ?? {})[0] as string;

export interface PaidRemittance {
  remittanceId: string;
  attemptId: string;
  intentId: string;
  invoices: string[];
}

export interface Ledger extends World {
  processorId: string;
  settled: PaidRemittance;
  flagged: PaidRemittance;
  pending: PaidRemittance;
  creditId: string;
}

/** Three member invoices of 100.00 in one remittance whose charge captured `capturedCents`; null if that is not known yet. */
export async function aRemittance(
  world: World,
  processorId: string,
  capturedCents: number | null,
): Promise<PaidRemittance> {
  const invoices: string[] = [];
  for (const membershipId of world.memberships.slice(0, 3)) {
    invoices.push(await anInvoice(world, { chapterId: world.chapterId, membershipId }));
  }
  const intentId = `pi_${uuidv7().replaceAll('-', '')}`;
  const allocations = invoices.map((invoice) => ({ invoice, amount_cents: 10_000 }));
  const { organizationId, chapterId, officer } = world;
  const remittanceId = await inTenant(organizationId, () => createRemittance(chapterId, allocations, officer.userId));
  const { attemptId } = await inTenant(organizationId, async () => {
    const started = await beginPayment(remittanceId, 'pm_card_visa', officer.userId);
    await recordIntent(started.attemptId, intentId);
    return started;
  });
  if (capturedCents !== null) {
    await inTenant(organizationId, () =>
      settleRemittance({ remittanceId, processorId, intentId, amountCents: capturedCents }),
    );
  }
  return { remittanceId, attemptId, intentId, invoices };
}

/** An active processor with placeholder secrets. */
export const aProcessor = (organizationId: string): Promise<string> =>
  one(
    `INSERT INTO org_payment_processors (organization_id, provider, label, secret_key_encrypted, webhook_secret_encrypted)
     VALUES ($1, 'stripe', 'Cards', 'sealed', 'sealed') RETURNING id`,
    [organizationId],
  );

/** A world whose ledger holds something for every invariant. */
export async function aLedger(): Promise<Ledger> {
  const world = await aWorld();
  const { organizationId, chapterId, member } = world;
  const processorId = await aProcessor(organizationId);
  const settled = await aRemittance(world, processorId, 30_000);
  const flagged = await aRemittance(world, processorId, 29_999);
  const pending = await aRemittance(world, processorId, null);
  const creditId = await one(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
     VALUES ($1, $2, 'member', $3, 'issued', 5000, 'Returned fee') RETURNING id`,
    [organizationId, chapterId, member.membershipId],
  );
  return { ...world, processorId, settled, flagged, pending, creditId };
}

export interface Charged {
  world: World;
  processorId: string;
  intentId: string;
  invoices: [string, string, string];
}

/** Three members' invoices of 100.00 that one charge has paid. */
export async function charged(): Promise<Charged> {
  const world = await aWorld({ members: 3 });
  const processorId = await aProcessor(world.organizationId);
  const { intentId, invoices } = await aRemittance(world, processorId, 30_000);
  return { world, processorId, intentId, invoices: invoices as [string, string, string] };
}
