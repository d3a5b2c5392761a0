/** The docs page: Swagger UI from the installed package, so that it works without a network. */
import path from 'node:path';
import { Router, static as staticFiles } from 'express';
import { config } from '../../../config.js';
import { refuse } from '../../../models/errors.js';
import { errorRows } from './errors.js';
import { TAGS } from './tags.js';

const ASSETS = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const ASSET_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Inline styles are allowed, because Swagger UI sets styles on its elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  `connect-src 'self' ${new URL(config.backendUrl).origin}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chapter Membership Platform API</title>
<link rel="icon" href="/api/docs/favicon-32x32.png">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<noscript>The description of this API is at <a href="/api/schema/">/api/schema/</a>.</noscript>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

/** The page of error codes. It is separate, because it is long and used only to look up a code. */
const errorsPage = () => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes of the Chapter Membership Platform API</title>
<style>body{font:16px/1.5 sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}
td,th{padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top}</style>
</head>
<body>
<p><a href="/api/docs/">All operations</a></p>
<h1>Error codes</h1>
<p>Every answer that is not a success is <code>{detail, code, errors?}</code>. Codes are stable; the words may change.</p>
<table>
<thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead>
<tbody>
${errorRows()}
</tbody>
</table>
</body>
</html>
`;

// Script that starts the docs page. Rendering all operations at once takes seconds, so the first group is open and the
// others are collapsed. The script resolves references, because Swagger UI's own resolver reads the whole document for
// each reference, which takes seconds too; all references lead into the document.
const START = `const at = (document, pointer) => pointer.slice(2).split('/').reduce((value, key) => value?.[key], document);
const inline = (document, value, open = []) => {
  if (Array.isArray(value)) return value.map((one) => inline(document, one, open));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...own } = value;
  const inner = Object.fromEntries(Object.entries(own).map(([key, one]) => [key, inline(document, one, open)]));
  if (typeof $ref !== 'string' || open.includes($ref)) return inner;
  return { ...inline(document, at(document, $ref), [...open, $ref]), ...inner };
};
const LocalReferences = () => ({
  fn: {
    resolveSubtree: async (document, path) => ({
      spec: inline(document, path.reduce((value, key) => value?.[key], document)),
      errors: [],
    }),
  },
});
const ui = SwaggerUIBundle({
  url: '/api/schema/',
  dom_id: '#docs',
  plugins: [LocalReferences],
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  withCredentials: true,
  onComplete: () => ui.layoutActions.show(['operations-tag', '${TAGS[0].name}'], true),
});
`;

/** Serves `/api/docs/` and the assets of its page. */
export function docs(): Router {
  const router = Router();
  router.use((request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    throw refuse.method_not_allowed(undefined, undefined, { Allow: 'GET, HEAD' });
  });
  router.get('/', (_request, response) => {
    response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }).type('html').send(PAGE);
  });
  router.get('/errors/', (_request, response) => {
    response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }).type('html').send(errorsPage());
  });
  router.get('/start.js', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('js').send(START);
  });
  const assets = staticFiles(ASSETS, { index: false, fallthrough: false, maxAge: '1d' });
  for (const name of ASSET_FILES) router.get(`/${name}`, assets);
  return router;
}
