/** A browser without scripts: keeps cookies by origin, follows redirects, and posts the forms of its pages. */

export interface Page {
  url: URL;
  status: number;
  html: string;
}

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescape = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescape(value);
};

/** The fields of the page's only form, with their values. */
export function fieldsOf({ html }: Page): Record<string, string> {
  const inputs = (html.match(/<(input|button)[^>]*>/g) ?? []).map((tag): [string, string] => [
    attribute(tag, 'name') ?? '',
    attribute(tag, 'value') ?? '',
  ]);
  // The first of several buttons is pressed.
  return Object.fromEntries(inputs.reverse().filter(([name]) => name !== ''));
}

export class FormBrowser {
  private readonly jars = new Map<string, Map<string, string>>();

  /** @param home an origin where the sequence ends, whether a server runs there or not */
  constructor(private readonly home: string) {}

  open = (url: string | URL): Promise<Page> => this.go(new URL(url), {});

  /** Posts the form of a page, with some fields filled in differently. */
  async submit(page: Page, changes: Record<string, string> = {}): Promise<Page> {
    const action = attribute(/<form[^>]*>/.exec(page.html)?.[0] ?? '', 'action') ?? page.url.href;
    const body = new URLSearchParams({ ...fieldsOf(page), ...changes });
    return this.go(new URL(action, page.url), { method: 'POST', body });
  }

  /** A request as a script of the home page would send it, with cookies. */
  async ask(method: string, url: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const headers = { 'Content-Type': 'application/json', Origin: this.home };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await this.fetch(new URL(url), init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  private async go(first: URL, init: RequestInit): Promise<Page> {
    let [url, next] = [first, init];
    for (let step = 0; step < 12; step += 1) {
      if (url.origin === this.home) return { url, status: 0, html: '' };
      const response = await this.fetch(url, next);
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, html: await response.text() };
      [url, next] = [new URL(location, url), {}];
    }
    throw new Error(`${first.href} leads nowhere.`);
  }

  private async fetch(url: URL, init: RequestInit): Promise<Response> {
    const jar = this.jars.get(url.origin) ?? new Map<string, string>();
    this.jars.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string> | undefined), ...(cookie ? { Cookie: cookie } : {}) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
}
