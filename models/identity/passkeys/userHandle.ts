/** The user handle (WebAuthn, 5.4.3): the 16 bytes of the account's id, which reveal nothing about the person. */

export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/**
 * Parses a user handle.
 * @returns the account's id, or null for a handle that we did not issue
 */
export function userIdOf(userHandle: string | undefined): string | null {
  const hex = Buffer.from(userHandle ?? '', 'base64url').toString('hex');
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : null;
}
