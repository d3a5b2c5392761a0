/** Reads caught mails and their links, so that the demo can follow them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CaughtMail } from '../standins/mail/caughtMails.js';
import { DemoFailed, type Row } from './client.js';
import type { DemoFacts } from './facts.js';

const TIMEOUT_S = 90;
const POLL_INTERVAL_MS = 250;

/** Returns the token in the mail to an address. @throws DemoFailed */
export const tokenOf = (facts: DemoFacts, email: string): Promise<string> => secretIn(facts, email, /\?token=([\w-]+)/);

/** Returns the secret in a link to a page of an application. @throws DemoFailed */
export const secretOf = (facts: DemoFacts, email: string, page: 'verify' | 'reference-letter'): Promise<string> =>
  secretIn(facts, email, new RegExp(`/${page}/([\\w-]+)`));

async function secretIn(facts: DemoFacts, email: string, link: RegExp): Promise<string> {
  const mail = await readMail(facts, email, ({ text }) => link.test(text));
  return link.exec(mail.text)?.[1] ?? '';
}

/** Waits for a mail to an address. @throws DemoFailed */
export async function readMail(
  { mail_url: mailUrl }: DemoFacts,
  email: string,
  isWanted: (mail: CaughtMail) => boolean,
): Promise<CaughtMail> {
  if (!mailUrl) throw new DemoFailed('Mails went to a real server: the demo cannot read them.');
  for (let waitedMs = 0; waitedMs < TIMEOUT_S * 1000; waitedMs += POLL_INTERVAL_MS) {
    const mails = (await (await fetch(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)).json()) as Row[];
    for (const { id } of mails) {
      const mail = (await (await fetch(`${mailUrl}/messages/${id}`)).json()) as CaughtMail;
      if (isWanted(mail)) return mail;
    }
    await sleep(POLL_INTERVAL_MS);
  }
  throw new DemoFailed(`The expected mail to ${email} did not arrive.`);
}
