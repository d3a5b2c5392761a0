/** The certificate with which the PayPal stand-in signs events, and its authority. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Certificates, makeCertificates } from '../kit/certificates.js';

const NAME = 'messageverificationcerts.paypal.com';
let cachedCertificates: Certificates | undefined;

/**
 * Returns the certificates. They are generated only once, because generating them is slow.
 * @param folder folder in which the certificates are stored, so that the stand-in and the receiver of its events use
 * the same ones; without a folder they are kept in memory only
 */
export function paypalCertificates(folder?: string): Certificates {
  if (folder === undefined) return (cachedCertificates ??= makeCertificates(new Date(), NAME));
  const file = path.join(folder, 'paypal-certificates.json');
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(makeCertificates(new Date(), NAME)), { mode: 0o600 });
  }
  return (cachedCertificates = JSON.parse(readFileSync(file, 'utf8')) as Certificates);
}
