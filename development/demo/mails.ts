/** Reads links from caught mails, so that the demo can follow them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailed, type Row } from './client.js';
import type { DemoFacts } from './facts.js';

const TIMEOUT_S = 90;

/** Returns the token in the mail to an address. @throws DemoFailed */
export const tokenOf = (facts: DemoFacts, email: string): Promise<string> => secretIn(facts, email, /\?token=([\w-]+)/);

/** Returns the secret in a link to a page of an application. @throws DemoFailed */
export const secretOf = (facts: DemoFacts, email: string, page: 'verify' | 'reference-letter'): Promise<string> =>
  secretIn(facts, email, new RegExp(`/${page}/([\\w-]+)`));

async function secretIn({ mail_url: mailUrl }: DemoFacts, email: string, link: RegExp): Promise<string> {
  if (!mailUrl) throw new DemoFailed('Mails went to a real server: the demo cannot read them.');
  for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
    const mails = (await (await fetch(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)).json()) as Row[];
    for (const { id } of mails) {
      const { text } = (await (await fetch(`${mailUrl}/messages/${id}`)).json()) as { text?: string };
      const token = link.exec(text ?? '')?.[1];
      if (token) return token;
    }
    await sleep(1000);
  }
  throw new DemoFailed(`No link was mailed to ${email}.`);
}
