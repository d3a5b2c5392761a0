/** What the mail catcher has taken. */
import { z } from 'zod';

const Mails = z.array(z.object({ message_id: z.string() }));
/** Of mails that an organization sends: those about accounts may be sent again. */
const OF_AN_ORGANIZATION = /^<?((?:notification|joined|thread|digest)\.[^@>]+)/;
const PATIENCE_MS = 3_000;

export class Mailbox {
  constructor(private readonly url: string) {}

  /** Their Message-IDs. @throws Error when it cannot be asked */
  async mails(): Promise<string[]> {
    const answer = await fetch(`${this.url}/messages`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return Mails.parse(await answer.json()).map(({ message_id: id }) => id);
  }

  /** What organizations have sent, by the names that we gave it. @throws Error when it cannot be asked */
  async mailsOfOrganizations(): Promise<string[]> {
    return (await this.mails()).flatMap((id) => OF_AN_ORGANIZATION.exec(id)?.[1] ?? []);
  }
}
