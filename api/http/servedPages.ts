/** Static HTML pages whose scripts read their data from the public API. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, Router } from 'express';
import { ownPage } from './ownPages.js';

export interface ServedPage {
  title: string;
  /** File name of the page's script in the folder. */
  script: string;
  /** HTML shown before the script has loaded data. @param params path parameters, unescaped */
  body?: (params: Record<string, string>) => string;
}

/**
 * Serves pages and their assets.
 * @param folder folder with scripts and a `style.css`, which are read once
 */
export function servedPages(folder: string, at: string, pages: Record<string, ServedPage>): Router {
  const assets = readdirSync(folder)
    .filter((name) => /\.(js|css)$/.test(name))
    .toSorted()
    .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const);
  // Id of the present assets. It changes whenever an asset changes, so that browsers can cache assets permanently.
  const edition = createHash('sha256').update(JSON.stringify(assets)).digest('hex').slice(0, 16);
  /**
   * During a deployment, a page may ask for another edition of the assets than this process has. The response is then
   * not cached.
   */
  const cacheControlFor = ({ params }: Request): string =>
    params['edition'] === edition ? 'public, max-age=31536000, immutable' : 'no-cache';
  const router = Router({ caseSensitive: true });
  for (const [name, text] of assets)
    router.all(`${at}/:edition/${name}`, ownPage(path.extname(name), text, cacheControlFor));
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
