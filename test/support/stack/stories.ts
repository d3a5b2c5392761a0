/** What the tests of outages do over and over: gather invoices, pay, look. */
import type { Client, Reply } from '../api.js';
import { eventually } from '../platform.js';
import { anInvoice, type World } from '../world.js';

/** A draft over one invoice of each member. @returns its id */
export async function aDraft(world: World, officer: Client, cents = 10_000): Promise<string> {
  const invoices = await Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId, cents })),
  );
  const { status, body } = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: cents })),
  });
  if (status !== 201) throw new Error(`The draft was answered with ${status}.`);
  return body.id as string;
}

export const pay = (officer: Client, id: string, method = 'pm_card_visa') =>
  officer.post(`/api/billing/remittances/${id}/pay/`, { payment_method: method });

/** The status of a remittance, as its officer sees it; the HTTP status where there is none. */
export async function statusOf(officer: Client, id: string): Promise<string> {
  const { status, body } = await officer.get(`/api/billing/remittances/${id}/`);
  return status === 200 ? (body.status as string) : String(status);
}

/** How long a call took, in seconds, with what it answered. */
export async function timed<T>(call: () => Promise<T>): Promise<{ seconds: number; answer: T }> {
  const started = performance.now();
  const answer = await call();
  return { seconds: (performance.now() - started) / 1000, answer };
}

/** Status and code of an answer, and what it says of coming back. */
export const said = ({ status, body, headers }: Reply<unknown>) => ({
  status,
  code: (body as { code?: string } | undefined)?.code,
  again: headers.get('retry-after'),
});

/** Waits until a remittance is settled, however long its process has to wait for something. */
export const settles = (officer: Client, id: string, seconds = 90) =>
  eventually(
    () => statusOf(officer, id),
    (status) => status === 'settled',
    seconds,
  );

/** Pays and waits for the end: on a busy machine the answer may come before it. */
export async function payAndSettle(officer: Client, id: string): Promise<void> {
  const { status } = await pay(officer, id);
  if (status !== 200 && status !== 409) throw new Error(`The payment was answered with ${status}.`);
  await settles(officer, id);
}
