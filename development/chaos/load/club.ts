/** One organization as its people see it: who they are, what is open, and what has been paid. */
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

/** Of an invoice, as whoever asked for them is answered. */
const Refunds = z.object({ refunds: z.array(z.object({ id: z.string(), status: z.string() })) });

export interface Club {
  organizationId: string;
  chapterId: string;
  officer: Person;
  admin: Person;
  invoices: InvoicePool;
  gateway: Gateway;
  /** Of the organization's account at the gateway. */
  secretKey: string;
  diary: Diary;
  /** Settled a while ago: refunds and late events are about these. */
  settled: Remittance[];
  /** Invoices that were paid on a page a while ago. */
  paidOnPage: string[];
  dayIsOver(): boolean;
  /** Called before each payment: whoever wants to kill at a certain moment prepares it here. */
  beforePaying(remittanceId: string): Promise<void>;
  /** The same before money goes back. */
  beforeRefunding(remittanceId: string | null): Promise<void>;
}

const LOOK_AGAIN_MS = 1_000;
const REMITTANCES = '/api/billing/remittances/';

/** Gathers invoices into a draft. @returns null when it was refused, or the day ended */
export async function gather(club: Club, invoices: OpenInvoice[]): Promise<Remittance | null> {
  if (invoices.length === 0) return null;
  const allocations = invoices.map(({ id, cents }) => ({ invoice: id, amount_cents: cents }));
  // A lost answer leaves a second draft, which reserves nothing.
  const answer = await club.officer.insist('create', 'POST', REMITTANCES, { chapter: club.chapterId, allocations });
  if (answer.status !== 201) return null;
  const remittance = Remittance.parse(answer.body);
  club.diary.promise('created', remittance.id);
  return remittance;
}

/** Reads a remittance until it is answered. @returns null when the day ended first */
export async function look(club: Club, remittanceId: string): Promise<Remittance | null> {
  const answer = await club.officer.insist('look', 'GET', `${REMITTANCES}${remittanceId}/`);
  return answer.status === 200 ? Remittance.parse(answer.body) : null;
}

/** Whoever has been told that it is paid has to see that, wherever it is read. */
async function lookAtOwn(club: Club, remittanceId: string): Promise<void> {
  const seen = await look(club, remittanceId);
  if (seen) club.diary.shown.push({ id: seen.id, status: seen.status });
}

/** Looks until the outcome of a payment is known. @returns null when the day ended first */
export async function lookUntilKnown(club: Club, remittanceId: string, answer: Answer): Promise<Remittance | null> {
  for (let last = answer; !club.dayIsOver(); last = { ...last, retryAfterMs: LOOK_AGAIN_MS }) {
    await club.officer.pauseAfter(last);
    const seen = await look(club, remittanceId);
    if (seen && seen.status !== 'processing') return seen;
  }
  return null;
}

export type PaymentEnd = 'settled' | 'flagged' | 'declined' | 'refused' | 'unknown';

const MOST_TRIES = 12;

/** Pays as real clients do: never again before a look, and only what is a draft still. */
export async function pay(club: Club, remittanceId: string, card: string): Promise<PaymentEnd> {
  await club.beforePaying(remittanceId);
  for (let tries = 0; tries < MOST_TRIES && !club.dayIsOver(); tries += 1) {
    const answer = await askToPay(club, remittanceId, card);
    if (answer.status === 200) await lookAtOwn(club, remittanceId);
    const end = endOf(club, remittanceId, answer);
    if (end) return end;
    const seen = await lookUntilKnown(club, remittanceId, answer);
    if (seen?.status === 'settled') return 'settled';
    if (seen?.status === 'needs_reconciliation') return 'flagged';
    // An attempt that we were not told the end of has failed, or it never began: a draft may be paid again.
  }
  return 'unknown';
}

/** One request to pay. @param walksAwayAfterMs when nobody waits for the answer */
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

/** What an answer says for good, and what the platform is held to; null when it has to be looked up. */
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

/** Clicks on 'pay' of an invoice until there is an answer. @returns null where that leads to no page */
export async function openPageOf(club: Club, invoiceId: string): Promise<{ attempt: string; url: string } | null> {
  const { status, body } = await club.officer.insist('open page', 'POST', `/api/invoices/${invoiceId}/pay/`);
  return status === 201 ? { attempt: String(body['attempt']), url: String(body['url']) } : null;
}

interface WantedRefund {
  invoice: string;
  /** Left out: all that is refundable. */
  amount_cents?: number;
}

/** Gives money of an invoice back, and asks the same again where there was no answer. */
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

/** What an officer has to ask for is for an administrator to say. */
async function decide(club: Club, requestId: string): Promise<void> {
  const path = `/api/organizations/${club.organizationId}/refund-requests/${requestId}/review/`;
  const { status } = await club.admin.insist('review', 'POST', path, { decision: 'approve' });
  if (status === 200) club.diary.promise('refund_decided', requestId);
}

const NOTE = 'Given to invoices that are open.';

/** Gives flagged money to invoices that are open, as an officer would. */
export async function resolve(club: Club, remittanceId: string): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES && !club.dayIsOver(); tries += 1) {
    const flagged = await look(club, remittanceId);
    if (flagged?.status !== 'needs_reconciliation') return;
    const allocations = await sharesFor(club, flagged);
    const path = `${REMITTANCES}${remittanceId}/resolve/`;
    const answer = await club.officer.ask('resolve', 'POST', path, { allocations, resolution_note: NOTE });
    if (answer.status === 200) return club.diary.promise('resolved', remittanceId);
    await club.officer.pauseAfter(answer);
  }
}

async function sharesFor(club: Club, { reconciliation_amount_cents: waiting, allocations }: Remittance) {
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
