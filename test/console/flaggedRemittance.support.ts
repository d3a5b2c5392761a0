/** A remittance whose charge captured another amount than was requested. */
import type { Platform } from '../support/platform.js';
import { anInvoice, type World } from '../support/world.js';

const INVOICE_CENTS = 10_000;

/** Pays an invoice of each of the first two members, with a charge of `capturedCents` instead of 20,000. @returns its id */
export async function aFlaggedRemittance(platform: Platform, world: World, capturedCents: number): Promise<string> {
  const { chapterId, memberships } = world;
  const officer = platform.client(world.officer);
  const invoices = await Promise.all(
    memberships.slice(0, 2).map((membershipId) => anInvoice(world, { chapterId, membershipId, cents: INVOICE_CENTS })),
  );
  const allocations = invoices.map((invoice) => ({ invoice, amount_cents: INVOICE_CENTS }));
  const { id } = (await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations })).body;
  await platform.fault({ kind: 'capture_amount', amount_cents: capturedCents, remittance_id: id });
  const paid = await officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: 'pm_card_visa' });
  expect(paid.body.code).toBe('remittance_needs_reconciliation');
  return id;
}
