/** Drafts of remittances to pay: the invoices by the seed, the drafts themselves as an officer makes them. */
import type { Client } from 'pg';
import { issueOpenInvoices } from '../seeding/large/openInvoices.js';
import type { Call } from './protocol.js';
import { ask, type World } from './world.js';

/** What each of the seed's new invoices comes to. */
const CENTS = 5_000;

/** Invoices in each draft, as a term's dues come. */
const SHARES = 25;

/** A remittance that waits for its payment. */
export interface Draft {
  id: string;
  pay: Call;
  /** One of its invoices. */
  invoice: string;
}

/** Makes drafts over new invoices of a chapter's members. @param each how many invoices of each */
export async function makeDrafts(
  owner: Client,
  base: string,
  { organizationId, chapterId }: Pick<World, 'organizationId' | 'chapterId'>,
  officer: Record<string, string>,
  count: number,
  each = SHARES,
): Promise<Draft[]> {
  const invoices = await issueOpenInvoices(owner, { organizationId, chapterId, count: count * each });
  const headers = { ...officer, 'Content-Type': 'application/json' };
  const drafts: Draft[] = [];
  for (let first = 0; first < invoices.length; first += each) {
    const shares = invoices.slice(first, first + each);
    const allocations = shares.map((invoice) => ({ invoice, amount_cents: CENTS }));
    const draft = (await ask(base, {
      method: 'POST',
      path: '/api/billing/remittances/',
      headers,
      body: JSON.stringify({ chapter: chapterId, allocations }),
    })) as { id: string };
    const body = JSON.stringify({ payment_method: 'pm_card_visa' });
    const pay: Call = { method: 'POST', path: `/api/billing/remittances/${draft.id}/pay/`, headers, body };
    drafts.push({ id: draft.id, pay, invoice: shares[0] as string });
  }
  return drafts;
}

/** Pays them all. @returns calls that give one member's share of each back, each on a charge of its own */
export async function paidToRefund(base: string, drafts: Draft[], admin: Record<string, string>): Promise<Call[]> {
  for (const { pay } of drafts) await ask(base, pay);
  const headers = { ...admin, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ reason: 'The event was cancelled.' });
  return drafts.map(({ invoice }) => ({ method: 'POST', path: `/api/invoices/${invoice}/refund/`, headers, body }));
}

/** In the burst. */
const LARGE = { parallel: 100, shares: 250 };

/** @returns calls that all draft a remittance over the same many invoices */
export async function largeDrafts(
  owner: Client,
  { organizationId, chapterId }: World,
  officer: Record<string, string>,
): Promise<Call[]> {
  const invoices = await issueOpenInvoices(owner, { organizationId, chapterId, count: LARGE.shares });
  const allocations = invoices.map((invoice) => ({ invoice, amount_cents: 100 }));
  const headers = { ...officer, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ chapter: chapterId, allocations });
  return Array.from({ length: LARGE.parallel }, () => ({
    method: 'POST',
    path: '/api/billing/remittances/',
    headers,
    body,
  }));
}
