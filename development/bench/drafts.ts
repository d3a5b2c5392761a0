/** Draft remittances to pay: the seed issues the invoices, and an officer creates the drafts through the API. */
import type { Client } from 'pg';
import { issueOpenInvoices } from '../seeding/large/openInvoices.js';
import type { Call } from './protocol.js';
import { ask, type World } from './world.js';

/** Amount of each of the seed's new invoices. */
const CENTS = 5_000;

/** Number of invoices in each draft. */
const INVOICES_PER_DRAFT = 25;

/** A draft remittance and the call that pays it. */
export interface Draft {
  id: string;
  pay: Call;
  /** Id of one of the draft's invoices. */
  invoice: string;
}

/** Creates drafts for new invoices of a chapter's members. @param each number of invoices per draft */
export async function makeDrafts(
  owner: Client,
  base: string,
  { organizationId, chapterId }: Pick<World, 'organizationId' | 'chapterId'>,
  officer: Record<string, string>,
  count: number,
  each = INVOICES_PER_DRAFT,
): Promise<Draft[]> {
  const invoices = await issueOpenInvoices(owner, { organizationId, chapterId, count: count * each });
  const headers = { ...officer, 'Content-Type': 'application/json' };
  const drafts: Draft[] = [];
  for (let first = 0; first < invoices.length; first += each) {
    const draftInvoices = invoices.slice(first, first + each);
    const allocations = draftInvoices.map((invoice) => ({ invoice, amount_cents: CENTS }));
    const draft = (await ask(base, {
      method: 'POST',
      path: '/api/billing/remittances/',
      headers,
      body: JSON.stringify({ chapter: chapterId, allocations }),
    })) as { id: string };
    const body = JSON.stringify({ payment_method: 'pm_card_visa' });
    const pay: Call = { method: 'POST', path: `/api/billing/remittances/${draft.id}/pay/`, headers, body };
    drafts.push({ id: draft.id, pay, invoice: draftInvoices[0] as string });
  }
  return drafts;
}

/**
 * Pays all drafts.
 * @returns one refund call per draft; each refunds one invoice, and each invoice belongs to a different charge
 */
export async function payAndPrepareRefunds(
  base: string,
  drafts: Draft[],
  admin: Record<string, string>,
): Promise<Call[]> {
  for (const { pay } of drafts) await ask(base, pay);
  const headers = { ...admin, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ reason: 'The event was cancelled.' });
  return drafts.map(({ invoice }) => ({ method: 'POST', path: `/api/invoices/${invoice}/refund/`, headers, body }));
}

/** Size of the burst: number of concurrent calls, and number of invoices in each draft. */
const LARGE = { parallel: 100, shares: 250 };

/**
 * Prepares a burst of large requests.
 * @returns calls that all create a draft for the same invoices
 */
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
