/** The user handle (WebAuthn, 5.4.3): the 16 bytes of the account's id, which tell nobody anything. */

export const userHandleOf = (userId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));

/** @returns the account's id, or null for what is no handle of ours */
export function userIdOf(userHandle: string | undefined): string | null {
  const hex = Buffer.from(userHandle ?? '', 'base64url').toString('hex');
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : null;
}
