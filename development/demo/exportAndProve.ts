/**
 * The last chapters of the installment demo: an export of a chapter's invoices, and a proof of good standing without an
 * amount.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoClient, DemoFailed, expectStatus, type Page, problem, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

const TIMEOUT_S = 60;
const POLL_INTERVAL_MS = 250;

/** Polls until the condition holds. @throws DemoFailed after a minute */
export async function until<T>(read: () => Promise<T>, satisfied: (now: T) => boolean): Promise<T> {
  for (let waitedMs = 0; waitedMs < TIMEOUT_S * 1000; waitedMs += POLL_INTERVAL_MS) {
    const now = await read();
    if (satisfied(now)) return now;
    await sleep(POLL_INTERVAL_MS);
  }
  throw new DemoFailed(`The expected state was not reached after ${TIMEOUT_S} s.`);
}

interface People {
  admin: DemoClient;
  member: DemoClient;
  payByHand(invoice: string, cents: number): Promise<void>;
}

/**
 * Exports a chapter's invoices, and proves a member's good standing without an amount.
 * @throws DemoFailed
 */
export async function exportAndProve(
  facts: DemoFacts,
  people: People,
  organization: string,
  chapter: string,
): Promise<void> {
  const { admin } = people;
  screen.chapter('6. The chapter’s invoices as a workbook');
  const exports = `/api/organizations/${organization}/invoice-exports/`;
  const { id } = await expectStatus(admin.post(exports, { filters: { chapter } }), 202);
  const ready = await until(
    () => admin.get<Row>(`${exports}${id}/`),
    ({ status }) => status === 'ready',
  );
  screen.done(`${String(ready['rows_done'])} invoices, sha256 ${String(ready['sha256']).slice(0, 16)}…`);
  screen.note(String(ready['download_url']));
  await prove(facts, people);
}

async function prove({ base_url: baseUrl }: DemoFacts, people: People): Promise<void> {
  screen.chapter('7. Good standing, proven without an amount');
  const { member } = people;
  const { results } = await member.get<Page>('/api/billing/me/invoices/?page_size=100');
  for (const { id, is_past_due: isLate, balance_due_cents: cents } of results) {
    if (!isLate) continue;
    await people.payByHand(id, Number(cents));
    screen.step('the member’s past-due invoice is paid');
  }
  const own = '/api/billing/me/good-standing/';
  const answer = await member.post(own, { days: 7 });
  if (answer.status !== 201)
    return screen.note(`This member is not in good standing: ${answer.status} ${problem(answer.body)}`);
  const { id, code, url } = answer.body as Row & { code: string; url: string };
  const [seen] = await DemoClient.anonymous(baseUrl).get<Row[]>(`/api/public/good-standing/?code=${code}`);
  screen.done(`Anyone with the address reads: ${JSON.stringify(seen)}`);
  screen.note(url);
  screen.note(`the member can revoke it at any time: DELETE ${own}${id}/`);
}
