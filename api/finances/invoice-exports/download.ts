/** The address of an export's file: of one job and organization, for ten minutes, and for whoever may have it then. */
import { databaseNow } from '../../../models/database/clock.js';
import { isSigned, sign } from '../../../models/database/signatures.js';
import { refuse } from '../../../models/errors.js';

const PURPOSE = 'invoice export';
const SECONDS = 10 * 60;

const textOf = (organizationId: string, exportId: string, expires: number): string =>
  `${organizationId}/${exportId}/${expires}`;

/** @param file the path that leads to it */
export function downloadUrl(file: string, organizationId: string, exportId: string): string {
  const expires = Math.floor(databaseNow() / 1000) + SECONDS;
  return `${file}?expires=${expires}&signature=${sign(PURPOSE, textOf(organizationId, exportId, expires)).toString('hex')}`;
}

/** @throws Refusal not_found for an address that is over, or that nobody was given */
export function requireAddress(
  organizationId: string,
  exportId: string,
  { expires, signature }: { expires: number; signature: string },
): void {
  const isOurs = isSigned(PURPOSE, textOf(organizationId, exportId, expires), Buffer.from(signature, 'hex'));
  if (!isOurs || expires * 1000 < databaseNow()) throw refuse.not_found('This address is over. Ask for another.');
}
