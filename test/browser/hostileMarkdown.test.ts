/** Hostile Markdown of members, rendered, in a browser without a content security policy. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { renderMarkdown } from '../../models/markdown.js';
import { HOSTILE_HTML } from '../support/hostileHtml.js';
import { HOSTILE_MARKDOWN } from '../support/hostileMarkdown.js';
import { launchChromium } from './chromium.js';

let browser: Browser;
let server: Server;
let html: string;

beforeAll(async () => {
  browser = await launchChromium();
  server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** Counts what runs, and keeps clicks from leaving the page. */
const COUNT = `window.ran = 0; window.alert = () => { window.ran += 1; };
  addEventListener('click', (event) => event.preventDefault(), true);`;

/** Shows texts as a client does, once in the page and once by innerHTML, and fires each event that a person may cause. */
async function show(texts: string[]): Promise<{ ran: number; requests: string[]; schemes: string[] }> {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await page.route('**', (route) => (route.request().url() === url ? route.continue() : route.abort()));
  html = `<!doctype html><link rel="icon" href="data:,"><script>${COUNT}</script>
    ${texts.map((text) => `<section>${text}</section>`).join('\n')}<script>window.isShown = true</script>`;
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction('window.isShown');
  const seen = await page.evaluate(async (bodies) => {
    for (const body of bodies)
      document.body.append(Object.assign(document.createElement('section'), { innerHTML: body }));
    const links = [...document.querySelectorAll('section a')] as HTMLAnchorElement[];
    for (const element of document.querySelectorAll('section *'))
      for (const event of ['mouseover', 'focus', 'click', 'toggle', 'load', 'error'])
        element.dispatchEvent(new Event(event, { bubbles: true, cancelable: true }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { ran: (window as unknown as { ran: number }).ran, schemes: links.map(({ protocol }) => protocol) };
  }, texts);
  await page.close();
  return {
    ran: seen.ran,
    requests: requests.filter((address) => address !== url),
    schemes: [...new Set(seen.schemes)],
  };
}

test('rendered hostile Markdown runs nothing, loads nothing, and links to web and mail addresses only', async () => {
  const { ran, requests, schemes } = await show(HOSTILE_MARKDOWN.map(renderMarkdown));
  expect({ ran, requests }).toEqual({ ran: 0, requests: [] });
  expect(schemes.toSorted()).toEqual(['http:', 'https:', 'mailto:'].filter((scheme) => schemes.includes(scheme)));
});

test('the same page runs and loads hostile HTML that is not rendered', async () => {
  const { ran, requests } = await show(HOSTILE_HTML.slice(0, 4));
  expect(ran).toBeGreaterThan(0);
  expect(requests.length).toBeGreaterThan(0);
});
