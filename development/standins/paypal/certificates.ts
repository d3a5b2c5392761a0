/** What the stand-in of PayPal signs events with, and who vouches for it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Certificates, makeCertificates } from '../kit/certificates.js';

const NAME = 'messageverificationcerts.paypal.com';
let made: Certificates | undefined;

/**
 * One for the whole program: it takes a moment to make.
 * @param folder where it is kept, so that whoever starts the stand-in and whoever hears its events know the same
 */
export function paypalCertificates(folder?: string): Certificates {
  if (folder === undefined) return (made ??= makeCertificates(new Date(), NAME));
  const file = path.join(folder, 'paypal-certificates.json');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(makeCertificates(new Date(), NAME)), { mode: 0o600 });
  }
  return (made = JSON.parse(readFileSync(file, 'utf8')) as Certificates);
}
