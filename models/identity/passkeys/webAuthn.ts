/** What reads authenticators' answers. Imported where one is asked for: it is large, and most processes never hear of a passkey. */
export {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
export { decodeAttestationObject } from '@simplewebauthn/server/helpers';
