/** Validation of the fields that admins enter for identity providers. */
import { z } from 'zod';
import { isIdentifier } from './provenIdentity.js';
import { config } from '../../../config.js';
import { text } from '../../fields.js';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const NO_DOMAIN = 'Must be a domain, for example university.edu.';

/** An e-mail domain, in lower case. */
export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, { error: NO_DOMAIN, abort: true })
  .regex(DOMAIN, NO_DOMAIN);

export const domains = z
  .array(domain)
  .max(50)
  .transform((names) => [...new Set(names)]);

export const slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'Must be lower-case letters, digits and dashes.');

export const scopes = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'Must be scopes, separated by single spaces.');

export const entityId = text(1024).refine(isIdentifier, 'Must be at most 1024 bytes, without control characters.');

/** A URL to which browsers are redirected: https, in development also http. */
export const browserAddress = z
  .string()
  .trim()
  .max(1000)
  .refine((address) => {
    const url = URL.canParse(address) ? new URL(address) : null;
    const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && !config.production);
    return secure && !url.username && !url.password && !url.hash;
  }, 'Must be an https address.');
