/** A chapter of the demo of giving: the annual receipts of last year, previewed and then issued exactly as previewed. */
import { randomUUID } from 'node:crypto';
import { type DemoClient, DemoFailed, expectStatus, type Page, problem, type Row } from './client.js';
import { until } from './exportAndProve.js';
import type { DemoFacts } from './facts.js';
import { readMail } from './mails.js';
import { money, screen } from './screen.js';
import { workflowUrl } from './workflowUrl.js';

interface Preview {
  preview_hash: string;
  totals: { receipts: number; gifts: number; amount_cents: number };
}

const inWords = (count: number): string => `${count} ${count === 1 ? 'receipt' : 'receipts'}`;

const RUNS = '/api/foundation/annual-receipts/';

/**
 * Records gifts of last year, and issues the annual receipts of that year.
 * @throws DemoFailed
 */
export async function showAnnualReceipts(facts: DemoFacts, admin: DemoClient): Promise<void> {
  screen.chapter('10. Annual receipts, issued exactly as previewed');
  const year = new Date().getUTCFullYear() - 1;
  const email = `dora.${Date.now()}@example.org`;
  const gift = { email, received_on: `${year}-06-15` };
  await recordCheck(admin, { ...gift, amount_cents: 10_000 });
  const first = await previewReceipts(admin, year);
  await recordCheck(admin, { ...gift, amount_cents: 15_000 });
  const stale = await admin.post(RUNS, { tax_year: year, preview_hash: first.preview_hash });
  if (stale.body['code'] !== 'preview_stale') throw new DemoFailed(`Answered ${problem(stale.body)}`);
  screen.note(`a gift was recorded after the preview: ${stale.status} ${problem(stale.body)}`);
  const { preview_hash, totals } = await previewReceipts(admin, year);
  screen.done(
    `The preview of ${year}: ${inWords(totals.receipts)} for ${totals.gifts} gifts, ${money(totals.amount_cents)} in all.`,
  );
  const { id } = await expectStatus(admin.post(RUNS, { tax_year: year, preview_hash }), 202);
  const run = await until(
    () => admin.get<Row>(`${RUNS}${id}/`),
    ({ status }) => status === 'issued',
  );
  if (run['receipts_issued'] !== totals.receipts) throw new DemoFailed('Another number of receipts was issued.');
  screen.done(`Issued: ${inWords(totals.receipts)}, ${money(Number(run['issued_cents']))} in all.`);
  if (facts.mail_url) {
    const { subject, attachments } = await readMail(facts, email, (mail) => mail.subject.startsWith('Annual receipt'));
    screen.done(`${email} receives “${subject}” with ${String(attachments[0]?.name)}.`);
  }
  screen.note(`its workflow: ${workflowUrl(facts, String(run['workflow_id']))}`);
}

/** Records a check that the foundation received. */
async function recordCheck(admin: DemoClient, gift: object): Promise<void> {
  const [fund] = (await admin.get<Page>('/api/foundation/funds/')).results;
  const check = {
    first_name: 'Dora',
    last_name: 'Donor',
    method: 'check',
    fund: fund?.id,
    send_receipt: false,
    ...gift,
  };
  await expectStatus(
    admin.post('/api/foundation/donations/offline/', { ...check, idempotency_key: randomUUID() }),
    201,
  );
}

const previewReceipts = async (admin: DemoClient, year: number): Promise<Preview> =>
  (await expectStatus(admin.post(RUNS, { tax_year: year, dry_run: true }))) as unknown as Preview;
