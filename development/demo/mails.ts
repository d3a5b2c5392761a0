/** What people are mailed, as far as the demo goes on with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailed, type Row } from './client.js';
import type { DemoFacts } from './facts.js';

const PATIENCE_S = 90;

/** That the mail to an address has. @throws DemoFailed */
export const tokenOf = (facts: DemoFacts, email: string): Promise<string> => secretIn(facts, email, /\?token=([\w-]+)/);

/** Of a mail about an application, whose link leads to one of its pages. @throws DemoFailed */
export const secretOf = (facts: DemoFacts, email: string, page: 'verify' | 'reference-letter'): Promise<string> =>
  secretIn(facts, email, new RegExp(`/${page}/([\\w-]+)`));

async function secretIn({ mail_url: mailUrl }: DemoFacts, email: string, link: RegExp): Promise<string> {
  if (!mailUrl) throw new DemoFailed('Mails went to a real server: go on from there.');
  for (let waited = 0; waited < PATIENCE_S; waited += 1) {
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
