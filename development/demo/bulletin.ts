/** The last chapter of the demo of giving: a bulletin to all donors, one of whom unsubscribes. */
import { type DemoClient, DemoFailed, expectStatus, type Row } from './client.js';
import { until } from './exportAndProve.js';
import type { DemoFacts } from './facts.js';
import { readMail } from './mails.js';
import { screen } from './screen.js';

interface Bulletin extends Row {
  status: string;
  recipients: Record<'pending' | 'sent' | 'failed' | 'bounced' | 'skipped', number>;
}

const BULLETINS = '/api/foundation/bulletins/';

/**
 * Mails a bulletin, unsubscribes a donor with the link in the mail, and mails another bulletin, which skips the donor.
 * @param email the address of a donor of the demo
 * @throws DemoFailed
 */
export async function showBulletin(facts: DemoFacts, admin: DemoClient, email: string): Promise<void> {
  screen.chapter('11. A bulletin to all donors, and a donor who unsubscribes');
  const subject = `What your gifts did ${Date.now()}`;
  const first = await send(admin, subject);
  screen.done(`“${subject}” goes to ${first.recipients.sent} donors, each claimed before the mail is sent.`);
  if (!facts.mail_url) return screen.note('Skipped: mails went to a real server.');
  const mail = await readMail(facts, email, (one) => one.subject === subject);
  const link = /\/api\/foundation\/public\/unsubscribe\/[\w.-]+\//.exec(mail.text)?.[0];
  if (!link) throw new DemoFailed('The mail has no unsubscribe link.');
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const { status } = await fetch(`${facts.base_url}${link}`, { method: 'POST', body });
  if (status !== 200) throw new DemoFailed(`Unsubscribing was answered with ${status}.`);
  screen.done(`${email} unsubscribes with one click (RFC 8058).`);
  const second = await send(admin, `${subject}, continued`);
  if (second.recipients.skipped === first.recipients.skipped) throw new DemoFailed('The donor was not skipped.');
  screen.done(`The next bulletin goes to ${second.recipients.sent} donors and skips ${second.recipients.skipped}.`);
}

/** Writes a bulletin, sends it, and waits until every recipient has an outcome. */
async function send(admin: DemoClient, subject: string): Promise<Bulletin> {
  const draft = { subject, body_html: '<p>Thank you for your gifts.</p>', audience: 'all_donors' };
  const { id } = await expectStatus(admin.post(BULLETINS, draft), 201);
  await expectStatus(admin.post(`${BULLETINS}${id}/send/`, {}));
  return until(
    () => admin.get<Bulletin>(`${BULLETINS}${id}/`),
    ({ status }) => status === 'sent',
  );
}
