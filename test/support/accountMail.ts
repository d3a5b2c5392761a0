/** A mail server for one test file, and mails about accounts, sent by their own step. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { mailAccountNotice } from '../../activities/identity/accountNotices.js';
import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import type { CaughtMail } from '../../development/standins/mail/caughtMails.js';
import type { AccountNoticeOutcome, SendAccountNoticeInput } from '../../workflows/contracts/sendAccountNotice.js';
import { asOwner } from './owner.js';

export interface AccountMailbox {
  readonly catcher: Catcher;
  /** Mails everything that waits. @returns all mails to an address, newest last */
  to(address: string): Promise<CaughtMail[]>;
  /** The token in the newest mail to an address. */
  tokenFor(address: string): Promise<string>;
}

/** Runs the step for one notice. @param attempt from 1 */
export const mailNotice = (noticeId: string, attempt = 1): Promise<AccountNoticeOutcome> =>
  new MockActivityEnvironment({ attempt }).run<
    [SendAccountNoticeInput],
    AccountNoticeOutcome,
    typeof mailAccountNotice
  >(mailAccountNotice, { organizationId: null, noticeId });

/** A mail server, to which the platform sends from now on. */
export async function startMailServer(): Promise<Catcher> {
  const catcher = await startCatcher({ smtpPort: 0, httpPort: 0 });
  Object.assign(config, { SMTP_URL: catcher.smtpUrl });
  return catcher;
}

/** Stops it and closes the connections to it. */
export async function stopMailServer(catcher: Catcher): Promise<void> {
  closeMail();
  await catcher.close();
}

/** Runs a server during the tests of a file without a worker. */
export function aMailbox(): AccountMailbox {
  let catcher: Catcher;
  beforeAll(async () => void (catcher = await startMailServer()));
  afterAll(() => stopMailServer(catcher));
  const to = async (address: string) => {
    const waiting = await asOwner<{ id: string }>('SELECT id FROM account_notices WHERE outcome IS NULL ORDER BY id');
    for (const { id } of waiting) await mailNotice(id);
    return catcher.mails.list(address);
  };
  return {
    get catcher() {
      return catcher;
    },
    to,
    tokenFor: async (address) => {
      const token = /(?:\?token=|\/verify\/|\/reference-letter\/|#draft=)([\w-]+)/.exec(
        (await to(address)).at(-1)?.text ?? '',
      )?.[1];
      if (!token) throw new Error('The newest mail has no token.');
      return token;
    },
  };
}
