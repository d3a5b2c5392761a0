/** The served pages of giving for tests: opened and sent without a browser. */
import type { Foundation } from './foundation.js';

export interface ServedPage {
  status: number;
  headers: Headers;
  html: string;
}

export const donatePath = ({ foundationId, slug }: Pick<Foundation, 'foundationId' | 'slug'>): string =>
  `/donate/${foundationId}/${slug}`;

async function pageOf(answer: Promise<Response>): Promise<ServedPage> {
  const response = await answer;
  return { status: response.status, headers: response.headers, html: await response.text() };
}

export const openPage = (url: string): Promise<ServedPage> => pageOf(fetch(url));

/** Sends the form of a page. */
export const sendForm = (
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<ServedPage> => pageOf(fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers }));

const unescape = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The value of an input, a hidden one included; undefined if the page has none of that name, or shows it unchecked. */
export function valueIn({ html }: ServedPage, name: string): string | undefined {
  const inputs = html.match(new RegExp(`<(input|textarea)[^>]* name="${name}"[^>]*>[^<]*`, 'g')) ?? [];
  const shown = inputs.find((tag) => !/type="(radio|checkbox)"/.test(tag) || tag.includes(' checked'));
  if (!shown) return undefined;
  return unescape(
    shown.startsWith('<textarea') ? shown.replace(/^[^>]*>\n?/, '') : (/value="([^"]*)"/.exec(shown)?.[1] ?? ''),
  );
}

/** The amounts that the buttons of a review charge, in cents. */
export const offersIn = ({ html }: ServedPage): string[] =>
  [...html.matchAll(/name="pay" value="(\d+)"/g)].map(([, cents]) => cents as string);
