/**
 * Signed links in mails to the donor of a pledge. A link is valid for its purpose only: the one that cancels a pledge
 * pays nothing, and the reverse.
 */
import { config } from '../../../config.js';
import { isSigned, sign } from '../../database/signatures.js';

const PURPOSES = { cancel: 'cancel a pledge', pay: 'pay the open period of a pledge' } as const;
export type LinkPurpose = keyof typeof PURPOSES;

const PATHS = { cancel: '', pay: 'card/' } as const satisfies Record<LinkPurpose, string>;

/** Bytes of a signature. 128 bits cannot be guessed. */
const MAC_BYTES = 16;

/** Returns the address of a page about a pledge. */
export function pledgeLink(purpose: LinkPurpose, pledgeId: string): string {
  const mac = sign(PURPOSES[purpose], pledgeId, MAC_BYTES).toString('base64url');
  return `${config.backendUrl}/giving/pledges/${pledgeId}.${mac}/${PATHS[purpose]}`;
}

/** Returns the pledge of a token; null if the token is not signed for this purpose. */
export function openPledgeToken(purpose: LinkPurpose, token: string): string | null {
  const [pledgeId = '', mac = '', ...more] = token.split('.');
  const isValid = more.length === 0 && isSigned(PURPOSES[purpose], pledgeId, Buffer.from(mac, 'base64url'), MAC_BYTES);
  return isValid ? pledgeId : null;
}
