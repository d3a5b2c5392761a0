/** Where reports about one mail go: an address that names it, and that nobody else can make (VERP). */
import { config } from '../../../config.js';
import { isSigned, sign } from '../../database/signatures.js';

const PURPOSE = 'return-path';
/** A local part has 64 characters (RFC 5321, 4.5.3.1.1), of which `b.` and the id leave 30, which are 120 bits. */
const SIGNATURE_BYTES = 15;
const LOCAL_PART = /^b\.([0-9a-f]{32})([0-9a-f]{30})$/;

/** @returns undefined where nobody takes reports (BOUNCES_DOMAIN) */
export function returnPathOf(mailId: string): string | undefined {
  if (config.BOUNCES_DOMAIN === undefined) return undefined;
  const id = mailId.replaceAll('-', '');
  const signature = sign(PURPOSE, id, SIGNATURE_BYTES).toString('hex');
  return `b.${id}${signature}@${config.BOUNCES_DOMAIN}`;
}

/** @param localPart in small letters; servers on the way may have changed them */
export function mailOfReturnPath(localPart: string): string | null {
  const [, id, signature] = LOCAL_PART.exec(localPart) ?? [];
  if (!id || !signature || !isSigned(PURPOSE, id, Buffer.from(signature, 'hex'), SIGNATURE_BYTES)) return null;
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
