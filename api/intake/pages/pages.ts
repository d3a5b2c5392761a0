/**
 * The pages of applicants, and of who writes about them: the form, how an application stands, the links of mails. They are the same for every address; what
 * stands in it is read by their scripts, which ask the API that everybody can ask.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, Router } from 'express';
import { ownPage } from '../../http/ownPages.js';

const FOLDER = path.join(__dirname, 'browser');

/** By name: the scripts and the style, read once. */
const ASSETS = new Map(
  readdirSync(FOLDER)
    .filter((name) => /\.(js|css)$/.test(name))
    .toSorted()
    .map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')] as const),
);

/** Another with every change, so that browsers keep what they have for as long as it is right. */
const EDITION = createHash('sha256')
  .update(JSON.stringify([...ASSETS]))
  .digest('hex')
  .slice(0, 16);

/** No slug begins with it. */
const AT = `/apply/_/${EDITION}`;

const page = (title: string, script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${AT}/style.css">
<script type="module" src="${AT}/${script}"></script>
</head>
<body>
<main>
<h1>${title}</h1>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<p id="saving" role="status"></p>
</body>
</html>
`;

const PAGES: Record<string, string> = {
  '/apply/:slug': page('Apply', 'apply.js'),
  '/apply/:slug/status/:token': page('Your application', 'status.js'),
  '/apply/:slug/verify/:token': page('Confirm your application', 'verify.js'),
  '/apply/:slug/reference-letter/:token': page('A letter of reference', 'letter.js'),
};

/** While one edition replaces another, a page may be given files of the next; they are then not kept. */
const keptFor = ({ params }: Request): string =>
  params['edition'] === EDITION ? 'public, max-age=31536000, immutable' : 'no-cache';

export function applicantPages(): Router {
  const router = Router({ caseSensitive: true });
  for (const [name, text] of ASSETS)
    router.all(`/apply/_/:edition/${name}`, ownPage(path.extname(name), text, keptFor));
  for (const [address, text] of Object.entries(PAGES))
    router.all(
      address,
      ownPage('html', text, () => 'no-store'),
    );
  return router;
}
