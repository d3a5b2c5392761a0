/** The docs page: Swagger UI from the installed package, so that it works without a network. */
import path from 'node:path';
import { Router, static as staticFiles } from 'express';
import { config } from '../../../config.js';
import { refuse } from '../../../models/errors.js';

const ASSETS = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const NEEDED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets styles on its elements.
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

const START = `SwaggerUIBundle({
  url: '/api/schema/',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  withCredentials: true,
});
`;

/** Serves `/api/docs/` and what its page loads. */
export function docs(): Router {
  const router = Router();
  router.use((request, _response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    throw refuse.method_not_allowed(undefined, undefined, { Allow: 'GET, HEAD' });
  });
  router.get('/', (_request, response) => {
    response.set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-cache' }).type('html').send(PAGE);
  });
  router.get('/start.js', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('js').send(START);
  });
  const assets = staticFiles(ASSETS, { index: false, fallthrough: false, maxAge: '1d' });
  for (const name of NEEDED) router.get(`/${name}`, assets);
  return router;
}
