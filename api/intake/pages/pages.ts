/** Pages for applicants and referees: the form, the status of an application, and the links in mails. */
import path from 'node:path';
import type { Router } from 'express';
import { servedPages } from '../../http/servedPages.js';

/** Serves the pages. Their assets are under `_`, because no slug begins with `_`. */
export const applicantPages = (): Router =>
  servedPages(path.join(__dirname, 'browser'), '/apply/_', {
    '/apply/:slug': { title: 'Apply', script: 'apply.js' },
    '/apply/:slug/status/:token': { title: 'Your application', script: 'status.js' },
    '/apply/:slug/verify/:token': { title: 'Confirm your application', script: 'verify.js' },
    '/apply/:slug/reference-letter/:token': { title: 'A letter of reference', script: 'letter.js' },
  });
