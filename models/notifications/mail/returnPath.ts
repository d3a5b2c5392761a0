/** Return paths of mails: each mail has its own signed address, to which bounce reports are sent (VERP). */
import { config } from '../../../config.js';
import { isSigned, sign } from '../../database/signatures.js';

const PURPOSE = 'return-path';
/**
 * Length of the signature in a return path. A local part has at most 64 characters (RFC 5321, 4.5.3.1.1). The prefix
 * `b.` and the id take 34 of them, which leaves 30 hexadecimal digits: 15 bytes.
 */
const SIGNATURE_BYTES = 15;
const LOCAL_PART = /^b\.([0-9a-f]{32})([0-9a-f]{30})$/;

/** Returns the return path of a mail; undefined if no bounces are received (BOUNCES_DOMAIN is not set). */
export function returnPathOf(mailId: string): string | undefined {
  if (config.BOUNCES_DOMAIN === undefined) return undefined;
  const id = mailId.replaceAll('-', '');
  const signature = sign(PURPOSE, id, SIGNATURE_BYTES).toString('hex');
  return `b.${id}${signature}@${config.BOUNCES_DOMAIN}`;
}

/**
 * Returns the id of the mail to which a return path belongs; null if the signature is wrong.
 * @param localPart in lower case, because relays may have changed the case
 */
export function mailOfReturnPath(localPart: string): string | null {
  const [, id, signature] = LOCAL_PART.exec(localPart) ?? [];
  if (!id || !signature || !isSigned(PURPOSE, id, Buffer.from(signature, 'hex'), SIGNATURE_BYTES)) return null;
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
