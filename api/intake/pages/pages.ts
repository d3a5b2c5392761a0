/** The pages of applicants, and of who writes about them: the form, how an application stands, the links of mails. */
import path from 'node:path';
import type { Router } from 'express';
import { servedPages } from '../../http/servedPages.js';

/** No slug begins with `_`. */
export const applicantPages = (): Router =>
  servedPages(path.join(__dirname, 'browser'), '/apply/_', {
    '/apply/:slug': { title: 'Apply', script: 'apply.js' },
    '/apply/:slug/status/:token': { title: 'Your application', script: 'status.js' },
    '/apply/:slug/verify/:token': { title: 'Confirm your application', script: 'verify.js' },
    '/apply/:slug/reference-letter/:token': { title: 'A letter of reference', script: 'letter.js' },
  });
