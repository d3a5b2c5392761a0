/** Development pages for features that have no front end yet. Never served in production. */
import { Router } from 'express';
import { config } from '../../config.js';
import { ownPage } from './ownPages.js';

/** Serves a page and its assets. In production its address answers 404. */
export function developmentPage({ PAGE, SCRIPT, STYLE }: Record<'PAGE' | 'SCRIPT' | 'STYLE', string>): Router {
  const router = Router();
  if (config.production) return router;
  const files: [path: string, type: string, text: string][] = [
    ['/', 'html', PAGE],
    ['/demo.js', 'js', SCRIPT],
    ['/style.css', 'css', STYLE],
  ];
  for (const [path, type, text] of files)
    router.all(
      path,
      ownPage(type, text, () => 'no-cache'),
    );
  return router;
}
