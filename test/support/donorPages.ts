/** A donor's browser for tests: the served pages, with the cookie that signs the donor in. */
import { Client } from './api.js';
import type { AccountMailbox } from './accountMail.js';
import type { Foundation } from './foundation.js';
import type { ServedPage } from './givingPage.js';

export const portalPath = ({ foundationId }: Pick<Foundation, 'foundationId'>, below = ''): string =>
  `/giving/${foundationId}/${below}`;

/** Requests a link by the API. */
export const requestLink = (url: string, { foundationId }: Pick<Foundation, 'foundationId'>, body: object) =>
  new Client(url).post(`/api/foundation/public/portal/${foundationId}/links/`, body);

/** The paths of all links in the mails to an address, the newest last. */
export const linksTo = async (mailbox: AccountMailbox, email: string): Promise<string[]> =>
  (await mailbox.to(email)).flatMap(({ text }) => {
    const path = /(\/giving\/[\w-]+\/links\/[\w-]+)/.exec(text)?.[1];
    return path ? [`${path}/`] : [];
  });

export class DonorBrowser {
  constructor(
    readonly url: string,
    /** The header Cookie; null without one. */
    public cookie: string | null = null,
  ) {}

  open = (path: string): Promise<ServedPage> => this.ask(path, { method: 'GET' });

  send = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    this.ask(path, { method: 'POST', body: new URLSearchParams(fields), headers: { Origin: this.url, ...headers } });

  /** Signs in with a mailed link. */
  async use(link: string): Promise<this> {
    const { status } = await this.send(link);
    if (status !== 200 || !this.cookie) throw new Error(`The link was answered with ${status}.`);
    return this;
  }

  private async ask(path: string, init: RequestInit): Promise<ServedPage> {
    const headers = { ...(init.headers as Record<string, string>), ...(this.cookie && { Cookie: this.cookie }) };
    const response = await fetch(this.url + path, { ...init, headers });
    const [set] = response.headers.getSetCookie().filter((cookie) => cookie.startsWith('donor_session='));
    if (set) this.cookie = set.startsWith('donor_session=;') ? null : (set.split(';')[0] as string);
    return { status: response.status, headers: response.headers, html: await response.text() };
  }
}
