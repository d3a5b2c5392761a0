/**
 * Pages that we serve: the same for every address but for what an address itself says. What stands in them is read by their scripts, which ask
 * the API that everybody can ask.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, Router } from 'express';
import { ownPage } from './ownPages.js';

export interface ServedPage {
  title: string;
  /** Of the folder. */
  script: string;
  /** HTML that is there before the script has read anything. @param params of the address, unescaped */
  body?: (params: Record<string, string>) => string;
}

/**
 * @param folder with scripts and a `style.css`, read once
 * @param at where these are found
 * @param pages by their address
 */
export function servedPages(folder: string, at: string, pages: Record<string, ServedPage>): Router {
  const assets = readdirSync(folder)
    .filter((name) => /\.(js|css)$/.test(name))
    .toSorted()
    .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const);
  // Another with every change, so that browsers keep what they have for as long as it is right.
  const edition = createHash('sha256').update(JSON.stringify(assets)).digest('hex').slice(0, 16);
  /** While one edition replaces another, a page may be given files of the next; they are then not kept. */
  const keptFor = ({ params }: Request): string =>
    params['edition'] === edition ? 'public, max-age=31536000, immutable' : 'no-cache';
  const router = Router({ caseSensitive: true });
  for (const [name, text] of assets) router.all(`${at}/:edition/${name}`, ownPage(path.extname(name), text, keptFor));
  for (const [address, page] of Object.entries(pages)) {
    const text = ({ params }: Request): string => html(`${at}/${edition}`, page, params as Record<string, string>);
    router.all(
      address,
      ownPage('html', text, () => 'no-store'),
    );
  }
  return router;
}

const html = (
  at: string,
  { title, script, body }: ServedPage,
  params: Record<string, string>,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${at}/style.css">
<script type="module" src="${at}/${script}"></script>
</head>
<body>
<main>
<h1>${title}</h1>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
${body?.(params) ?? ''}<p id="saving" role="status"></p>
</body>
</html>
`;
