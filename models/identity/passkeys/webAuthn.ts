/**
 * Re-exports the WebAuthn library. Other modules import this file dynamically, because the library is large and most
 * processes never handle a passkey.
 */
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
export { decodeAttestationObject } from '@simplewebauthn/server/helpers';
