/** One organization in the load: its people, its open invoices, and its payments. */
import { z } from 'zod';
import type { Gateway } from '../gateway.js';
import type { Answer, Diary } from './diary.js';
import type { InvoicePool, OpenInvoice } from './invoicePool.js';
import { isOutage, type Person } from './person.js';

export const Remittance = z.object({
  id: z.string(),
  status: z.enum(['draft', 'processing', 'settled', 'needs_reconciliation']),
  total_cents: z.number(),
  processor_payment_id: z.string().nullable(),
  reconciliation_amount_cents: z.number().nullable(),
  allocations: z.array(z.object({ invoice: z.string(), amount_cents: z.number(), is_stale: z.boolean() })),
});
export type Remittance = z.infer<typeof Remittance>;

/** Refunds of an invoice, as the API returns them. */
const Refunds = z.object({ refunds: z.array(z.object({ id: z.string(), status: z.string() })) });

export interface Club {
  organizationId: string;
  chapterId: string;
  officer: Person;
  admin: Person;
  /** An admin of the organization's foundation. */
  foundationAdmin: Person;
  /** Somebody who gives without an account. */
  donor: Person;
  foundation: { id: string; campaign_slug: string };
  invoices: InvoicePool;
  gateway: Gateway;
  /** Secret key of the organization's account at the gateway. */
  secretKey: string;
  /** Secret key of the account for gifts. */
  giftKey: string;
  diary: Diary;
  /** Settled remittances, for refunds and late events. */
  settled: Remittance[];
  /** Invoices that were paid on a page. */
  paidOnPage: string[];
  /** Gifts that were paid. */
  gifts: string[];
  /** Lets the first period of a pledge be due now, unless the database is down. */
  letPledgeBeDue(pledgeId: string): Promise<void>;
  dayIsOver(): boolean;
  /** Called before each payment, so that the killer can prepare the moment at which it kills. */
  beforePaying(remittanceId: string): Promise<void>;
  /** Hook before each refund. */
  beforeRefunding(remittanceId: string | null): Promise<void>;
}

const RETRY_MS = 1_000;
const REMITTANCES = '/api/billing/remittances/';

/** Creates a draft for the invoices. @returns null when it was refused or the run ended */
export async function createDraft(club: Club, invoices: OpenInvoice[]): Promise<Remittance | null> {
  if (invoices.length === 0) return null;
  const allocations = invoices.map(({ id, cents }) => ({ invoice: id, amount_cents: cents }));
  // If the answer is lost, the request is repeated and creates a second draft. This does no harm, because a draft does
  // not reserve its invoices.
  const answer = await club.officer.insist('create', 'POST', REMITTANCES, { chapter: club.chapterId, allocations });
  if (answer.status !== 201) return null;
  const remittance = Remittance.parse(answer.body);
  club.diary.promise('created', remittance.id);
  return remittance;
}

/** Reads a remittance, with retries. @returns null when the run ended first */
export async function look(club: Club, remittanceId: string): Promise<Remittance | null> {
  const answer = await club.officer.insist('look', 'GET', `${REMITTANCES}${remittanceId}/`);
  return answer.status === 200 ? Remittance.parse(answer.body) : null;
}

/** Reads a remittance after its successful payment, from any server, and records the status that the payer sees. */
async function lookAtOwn(club: Club, remittanceId: string): Promise<void> {
  const seen = await look(club, remittanceId);
  if (seen) club.diary.shown.push({ id: seen.id, status: seen.status });
}

/** Polls until the outcome of a payment is known. @returns null when the run ended first */
export async function lookUntilKnown(club: Club, remittanceId: string, answer: Answer): Promise<Remittance | null> {
  for (let last = answer; !club.dayIsOver(); last = { ...last, retryAfterMs: RETRY_MS }) {
    await club.officer.pauseAfter(last);
    const seen = await look(club, remittanceId);
    if (seen && seen.status !== 'processing') return seen;
  }
  return null;
}

export type PaymentEnd = 'settled' | 'flagged' | 'declined' | 'refused' | 'unknown';

const MAX_TRIES = 12;

/** Pays like a real client: reads the remittance before it pays again, and pays only a draft. */
export async function pay(club: Club, remittanceId: string, card: string): Promise<PaymentEnd> {
  await club.beforePaying(remittanceId);
  for (let tries = 0; tries < MAX_TRIES && !club.dayIsOver(); tries += 1) {
    const answer = await askToPay(club, remittanceId, card);
    if (answer.status === 200) await lookAtOwn(club, remittanceId);
    const end = endOf(club, remittanceId, answer);
    if (end) return end;
    const seen = await lookUntilKnown(club, remittanceId, answer);
    if (seen?.status === 'settled') return 'settled';
    if (seen?.status === 'needs_reconciliation') return 'flagged';
    // The remittance is still a draft: the attempt failed or never began, so it may be paid again.
  }
  return 'unknown';
}

/** Sends one payment request. @param walksAwayAfterMs time after which the client closes the connection */
export function askToPay(club: Club, remittanceId: string, card: string, walksAwayAfterMs?: number): Promise<Answer> {
  club.diary.reopen(remittanceId);
  return club.officer.ask(
    'pay',
    'POST',
    `${REMITTANCES}${remittanceId}/pay/`,
    { payment_method: card },
    walksAwayAfterMs,
  );
}

/**
 * Interprets the response to a payment and records what it promises. Returns null when the response is not final; the
 * caller must then read the remittance to learn the outcome.
 */
export function endOf(club: Club, remittanceId: string, answer: Answer): PaymentEnd | null {
  if (isOutage(answer) || answer.status >= 500 || answer.status === 401) return null;
  if (answer.status === 200 || answer.code === 'remittance_already_settled') {
    club.diary.promise('settled', remittanceId);
    return 'settled';
  }
  if (answer.code === 'remittance_needs_reconciliation') {
    club.diary.promise('flagged', remittanceId);
    return 'flagged';
  }
  if (answer.status !== 400) return null;
  club.diary.promise('nothing_charged', remittanceId);
  return ['payment_declined', 'payment_failed'].includes(answer.code) ? 'declined' : 'refused';
}

/**
 * Clicks 'pay' on an invoice, and repeats the click until there is a response.
 * @returns null when no page was opened
 */
export async function openPageOf(club: Club, invoiceId: string): Promise<{ attempt: string; url: string } | null> {
  const { status, body } = await club.officer.insist('open page', 'POST', `/api/invoices/${invoiceId}/pay/`);
  return status === 201 ? { attempt: String(body['attempt']), url: String(body['url']) } : null;
}

interface WantedRefund {
  invoice: string;
  /** Absent for the whole refundable amount. */
  amount_cents?: number;
}

/** Requests a refund, and repeats the request when there was no answer. */
export async function refund(club: Club, by: Person, { invoice, ...wanted }: WantedRefund): Promise<void> {
  const body = { ...wanted, reason: 'The event was cancelled.' };
  const { status, body: answered } = await by.insist('refund', 'POST', `/api/invoices/${invoice}/refund/`, body);
  if (status === 202) return decide(club, String(answered['id']));
  if (status !== 201) return;
  for (const { id, status: seen } of Refunds.parse(answered).refunds) {
    club.diary.promise('refund_reserved', id);
    if (seen === 'succeeded') club.diary.promise('refunded', id);
  }
}

/** Lets an administrator approve a refund request of an officer. */
async function decide(club: Club, requestId: string): Promise<void> {
  const path = `/api/organizations/${club.organizationId}/refund-requests/${requestId}/review/`;
  const { status } = await club.admin.insist('review', 'POST', path, { decision: 'approve' });
  if (status === 200) club.diary.promise('refund_decided', requestId);
}

const NOTE = 'Allocated to open invoices.';

/** Allocates flagged money to open invoices, like an officer. */
export async function resolve(club: Club, remittanceId: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES && !club.dayIsOver(); tries += 1) {
    const flagged = await look(club, remittanceId);
    if (flagged?.status !== 'needs_reconciliation') return;
    const allocations = await allocationsFor(club, flagged);
    const path = `${REMITTANCES}${remittanceId}/resolve/`;
    const answer = await club.officer.ask('resolve', 'POST', path, { allocations, resolution_note: NOTE });
    if (answer.status === 200) return club.diary.promise('resolved', remittanceId);
    await club.officer.pauseAfter(answer);
  }
}

async function allocationsFor(club: Club, { reconciliation_amount_cents: waiting, allocations }: Remittance) {
  const shares: { invoice: string; amount_cents: number }[] = [];
  const candidates = allocations
    .filter(({ is_stale: stale }) => !stale)
    .map(({ invoice, amount_cents: cents }) => ({ id: invoice, cents }));
  for (let left = waiting ?? 0; left > 0 && !club.dayIsOver(); ) {
    const [next] = candidates.length > 0 ? candidates.splice(0, 1) : await club.invoices.take(1);
    const cents = Math.min(left, next?.cents ?? 0);
    if (next && cents > 0) shares.push({ invoice: next.id, amount_cents: cents });
    left -= cents;
  }
  return shares;
}
