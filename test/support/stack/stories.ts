/** Common steps of the outage tests: create remittances, pay, read. */
import { setTimeout as sleep } from 'node:timers/promises';
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

/** The status of a remittance, as its officer sees it; the HTTP status if there is none. */
export async function statusOf(officer: Client, id: string): Promise<string> {
  const { status, body } = await officer.get(`/api/billing/remittances/${id}/`);
  return status === 200 ? (body.status as string) : String(status);
}

/** Many times the timeout of API and worker, so that a busy machine stays below; a request that waits for an outage to end does not. */
const LONGEST_SECONDS = 60;

/** Returns a call's answer during an outage. @throws Error when it still waits after a minute */
export async function answered<T>(call: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const waiting = sleep(LONGEST_SECONDS * 1000, undefined, over).then(
    () => Promise.reject(new Error(`There is no answer after ${LONGEST_SECONDS} s.`)),
    () => new Promise<never>(() => undefined),
  );
  return Promise.race([call(), waiting]).finally(() => over.abort());
}

/** Status, code and Retry-After of an answer. */
export const outcomeOf = ({ status, body, headers }: Reply<unknown>) => ({
  status,
  code: (body as { code?: string } | undefined)?.code,
  again: headers.get('retry-after'),
});

/** Waits until a remittance is settled, however long its process waits. */
export const settles = (officer: Client, id: string, seconds = 90) =>
  eventually(
    () => statusOf(officer, id),
    (status) => status === 'settled',
    seconds,
  );

/** Pays and waits for the settlement: on a busy machine the answer may come before it. */
export async function payAndSettle(officer: Client, id: string): Promise<void> {
  const { status } = await pay(officer, id);
  if (status !== 200 && status !== 409) throw new Error(`The payment was answered with ${status}.`);
  await settles(officer, id);
}
