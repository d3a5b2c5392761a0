/** A client of the mail catcher. */
import { z } from 'zod';

const Mails = z.array(
  z.object({ message_id: z.string(), to: z.array(z.string()), subject: z.string(), at: z.string() }),
);
type CaughtMail = z.infer<typeof Mails>[number];
/**
 * Matches the Message-IDs of an organization's mails. Mails about accounts do not match: they may legitimately be sent
 * twice, so they are not checked for repetition.
 */
const ORGANIZATION_MAIL = /^<?((?:notification|joined|thread|digest|receipt|pledge|bulletin)\.[^@>]+)/;
const TIMEOUT_MS = 3_000;

/** Returns the Message-IDs of organizations' mails, without the domain. */
export const organizationMails = (messageIds: readonly string[]): string[] =>
  messageIds.flatMap((id) => ORGANIZATION_MAIL.exec(id)?.[1] ?? []);

export class Mailbox {
  constructor(private readonly url: string) {}

  /** Returns the latest mails, oldest first. @throws Error when the mail catcher does not answer */
  async caught(): Promise<CaughtMail[]> {
    const answer = await fetch(`${this.url}/messages`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return Mails.parse(await answer.json());
  }

  /** Returns the Message-IDs of the latest mails. @throws Error when the mail catcher does not answer */
  async mails(): Promise<string[]> {
    return (await this.caught()).map(({ message_id: id }) => id);
  }

  /**
   * Returns the Message-IDs of organizations' mails, without the domain.
   * @throws Error when the mail catcher does not answer
   */
  async mailsOfOrganizations(): Promise<string[]> {
    return organizationMails(await this.mails());
  }
}
