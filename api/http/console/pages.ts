/**
 * Serves the web console, which `npm run build` writes to `dist/console`: one page for all screens, and its assets in
 * the encodings that the build has prepared.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Request, type RequestHandler, Router } from 'express';
import { config } from '../../../config.js';
import { refuse } from '../../../models/errors.js';
import { ownPage, requireReading, setPageHeaders } from '../ownPages.js';
import { redirectsToScreens } from './redirects.js';

/** Pages outside of `/console/` that the console shows as well, because mails link to them. */
const MAILED_PAGES = [
  '/auth/login',
  '/auth/invitation',
  '/auth/reset-password',
  '/auth/forgot-password',
  '/auth/verify-email',
  '/auth/sso/callback',
  '/account/security',
];

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Returns the folder of the built console. This code runs either from `dist/` or from the sources, where `console/`
 * holds the console's sources.
 */
function findBuild(): string {
  const root = path.join(__dirname, '../../..');
  const places = [path.join(root, 'dist/console'), path.join(root, 'console')];
  return places.find((place) => existsSync(path.join(place, 'assets'))) ?? (places[0] as string);
}

/**
 * Creates the router of the console. Without a build it serves nothing, and its addresses answer 404.
 * @param notificationPaths paths of pages to which notifications and their mails link
 */
export function consolePages(notificationPaths: readonly string[], folder = findBuild()): Router {
  const router = Router({ caseSensitive: true });
  const index = path.join(folder, 'index.html');
  if (!existsSync(index)) return router;
  const page = ownPage('html', readFileSync(index, 'utf8'), () => 'no-store', { hasImages: true });
  router.all('/console/assets/:name', assets(path.join(folder, 'assets')));
  router.all(['/console', '/console/*screen', ...MAILED_PAGES], page);
  if (isFrontend()) router.use(redirectsToScreens(notificationPaths));
  return router;
}

/** Reports whether mails link to this origin. */
const isFrontend = (): boolean => new URL(config.frontendUrl).origin === new URL(config.backendUrl).origin;

/** Serves hashed files, which never change. An unknown name, for example of an older release, is not found. */
function assets(folder: string): RequestHandler {
  const names = new Set(readdirSync(folder));
  return (request, response) => {
    requireReading(request);
    const name = String(request.params['name']);
    if (!names.has(name)) throw refuse.not_found();
    const [encoding, suffix] = preferredEncoding(request, (ending) => names.has(name + ending));
    setPageHeaders(response, 'public, max-age=31536000, immutable').type(path.extname(name)).vary('Accept-Encoding');
    if (encoding) response.set('Content-Encoding', encoding);
    response.sendFile(name + suffix, { root: folder, cacheControl: false });
  };
}

/** Prefers Brotli, which is a sixth smaller than gzip, over the order of the request. */
function preferredEncoding(
  request: Request,
  isBuilt: (suffix: string) => boolean,
): readonly [string, string] | readonly ['', ''] {
  return ENCODINGS.find(([encoding, suffix]) => isBuilt(suffix) && request.acceptsEncodings(encoding)) ?? ['', ''];
}
