/** What people take with them: a chapter's figures as a workbook, and their standing without a figure. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoClient, DemoFailed, made, type Page, problem, type Row } from './client.js';
import type { DemoFacts } from './facts.js';
import { screen } from './screen.js';

const PATIENCE_S = 60;

/** Looks each second until it is so. @throws DemoFailed */
export async function until<T>(read: () => Promise<T>, satisfied: (now: T) => boolean): Promise<T> {
  for (let waited = 0; waited < PATIENCE_S; waited += 1) {
    const now = await read();
    if (satisfied(now)) return now;
    await sleep(1000);
  }
  throw new DemoFailed(`It had not come so far after ${PATIENCE_S} s.`);
}

interface People {
  admin: DemoClient;
  member: DemoClient;
  payByHand(invoice: string, cents: number): Promise<void>;
}

/** @throws DemoFailed */
export async function takeAlong(
  facts: DemoFacts,
  people: People,
  organization: string,
  chapter: string,
): Promise<void> {
  const { admin } = people;
  screen.chapter('6. The chapter’s figures as a workbook');
  const exports = `/api/organizations/${organization}/invoice-exports/`;
  const { id } = await made(admin.post(exports, { filters: { chapter } }), 202);
  const ready = await until(
    () => admin.get<Row>(`${exports}${id}/`),
    ({ status }) => status === 'ready',
  );
  screen.done(`${String(ready['rows_done'])} invoices, sha256 ${String(ready['sha256']).slice(0, 16)}…`);
  screen.note(String(ready['download_url']));
  await prove(facts, people);
}

async function prove({ base_url: baseUrl }: DemoFacts, people: People): Promise<void> {
  screen.chapter('7. Good standing, proven without a figure');
  const { member } = people;
  const { results } = await member.get<Page>('/api/billing/me/invoices/?page_size=100');
  for (const { id, is_past_due: isLate, balance_due_cents: cents } of results) {
    if (!isLate) continue;
    await people.payByHand(id, Number(cents));
    screen.step('what the member was late with is paid');
  }
  const own = '/api/billing/me/good-standing/';
  const given = await member.post(own, { days: 7 });
  if (given.status !== 201) return screen.note(`This member has none to prove: ${given.status} ${problem(given.body)}`);
  const { id, code, url } = given.body as Row & { code: string; url: string };
  const [seen] = await DemoClient.anonymous(baseUrl).get<Row[]>(`/api/public/good-standing/?code=${code}`);
  screen.done(`Whoever has the address reads: ${JSON.stringify(seen)}`);
  screen.note(url);
  screen.note(`taken back whenever they like: DELETE ${own}${id}/`);
}
