/** What people are mailed, as far as the demo goes on with it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailed, type Row } from './client.js';
import type { DemoFacts } from './facts.js';

const PATIENCE_S = 90;

/** That the mail to an address has. @throws DemoFailed */
export async function tokenOf({ mail_url: mailUrl }: DemoFacts, email: string): Promise<string> {
  if (!mailUrl) throw new DemoFailed('Mails went to a real server: accept the invitation there.');
  for (let waited = 0; waited < PATIENCE_S; waited += 1) {
    const mails = (await (await fetch(`${mailUrl}/messages?to=${encodeURIComponent(email)}`)).json()) as Row[];
    for (const { id } of mails) {
      const { text } = (await (await fetch(`${mailUrl}/messages/${id}`)).json()) as { text?: string };
      const token = /\?token=([\w-]+)/.exec(text ?? '')?.[1];
      if (token) return token;
    }
    await sleep(1000);
  }
  throw new DemoFailed(`No invitation came to ${email}.`);
}
