/**
 * Signed address of an export's file. An address is for one export of one organization and is valid for ten minutes.
 * When the address is opened, the route checks the reader's rights as well.
 */
import { databaseNow } from '../../../models/database/clock.js';
import { isSigned, sign } from '../../../models/database/signatures.js';
import { refuse } from '../../../models/errors.js';

const PURPOSE = 'invoice export';
const LIFETIME_SECONDS = 10 * 60;

const signedText = (organizationId: string, exportId: string, expires: number): string =>
  `${organizationId}/${exportId}/${expires}`;

/** Returns the signed address. @param file path of the file */
export function downloadUrl(file: string, organizationId: string, exportId: string): string {
  const expires = Math.floor(databaseNow() / 1000) + LIFETIME_SECONDS;
  return `${file}?expires=${expires}&signature=${sign(PURPOSE, signedText(organizationId, exportId, expires)).toString('hex')}`;
}

/** Checks a signed address. @throws Refusal not_found if it has expired or its signature is wrong */
export function requireAddress(
  organizationId: string,
  exportId: string,
  { expires, signature }: { expires: number; signature: string },
): void {
  const isOurs = isSigned(PURPOSE, signedText(organizationId, exportId, expires), Buffer.from(signature, 'hex'));
  if (!isOurs || expires * 1000 < databaseNow())
    throw refuse.not_found('This download link has expired. Request a new one.');
}
