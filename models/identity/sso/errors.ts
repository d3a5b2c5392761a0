import { defineErrors } from '../../errors.js';

/** Refusals of sign-in by an identity provider. */
export const ssoErrors = defineErrors({
  sso_code_invalid: [400, 'This code is not valid, was used before, has expired, or belongs to another sign-in.'],
  sso_access_ended: [403, 'Your organization does not let you in by this identity provider any more.'],
});

/** Why a sign-in ended without a code: the `error` of the callback, and all that it says. */
export const SSO_FAILURES = [
  // The answer belongs to no sign-in that is under way: expired, used, forged.
  'flow_expired',
  // There is no such connection: it was switched off, removed, or never was.
  'connection_inactive',
  // The identity provider said no, or the person cancelled.
  'provider_refused',
  'provider_unavailable',
  // The answer did not pass a check: signature, issuer, audience, nonce, time …
  'response_invalid',
  'email_missing',
  'email_unverified',
  'email_domain_not_allowed',
  // Nobody of this organization has the address, and no account is created for it. Says nothing of accounts elsewhere.
  'no_account',
  // Whom the identity is linked with is disabled or has left the organization.
  'access_ended',
  // A fresh proof was asked for and the provider did not give one.
  'reauthentication_unproven',
  // What the browser brought is no request that we read.
  'request_invalid',
  // A log-out message that the provider has not signed for us.
  'logout_refused',
  'throttled',
  'temporarily_unavailable',
] as const;
export type SsoFailure = (typeof SSO_FAILURES)[number];

/** On record, too: a code that another browser, or too late a one, wanted to exchange. */
export const REFUSAL_REASONS = [...SSO_FAILURES, 'code_refused'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
