/** Drafts of remittances to pay: the invoices by the seed, the drafts themselves as an officer makes them. */
import type { Client } from 'pg';
import { issueOpenInvoices } from '../seeding/large/openInvoices.js';
import type { Call } from './protocol.js';
import { ask, type World } from './world.js';

/** What each of the seed's new invoices comes to. */
const CENTS = 5_000;

/** Invoices in each draft. */
const SHARES = 25;

/**
 * Makes drafts over new invoices of a chapter's members.
 * @returns the calls that pay them
 */
export async function makeDrafts(
  owner: Client,
  base: string,
  { organizationId, chapterId }: World,
  officer: Record<string, string>,
  count: number,
): Promise<Call[]> {
  const invoices = await issueOpenInvoices(owner, { organizationId, chapterId, count: count * SHARES });
  const headers = { ...officer, 'Content-Type': 'application/json' };
  const calls: Call[] = [];
  for (let first = 0; first < invoices.length; first += SHARES) {
    const shares = invoices.slice(first, first + SHARES);
    const allocations = shares.map((invoice) => ({ invoice, amount_cents: CENTS }));
    const draft = (await ask(base, {
      method: 'POST',
      path: '/api/billing/remittances/',
      headers,
      body: JSON.stringify({ chapter: chapterId, allocations }),
    })) as { id: string };
    const body = JSON.stringify({ payment_method: 'pm_card_visa' });
    calls.push({ method: 'POST', path: `/api/billing/remittances/${draft.id}/pay/`, headers, body });
  }
  return calls;
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
