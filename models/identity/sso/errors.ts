import { defineErrors } from '../../errors.js';

/** Refusals of sign-in by an identity provider. */
export const ssoErrors = defineErrors({
  sso_code_invalid: [
    400,
    'This code is not valid, was used before, has expired, or belongs to another sign-in. Sign in again.',
  ],
  sso_access_ended: [
    403,
    'You no longer have access to your organization through this identity provider. Ask an administrator.',
  ],
});

/**
 * Reasons why a sign-in ended without a code. The client's callback URL gets only the reason, in its `error` parameter.
 */
export const SSO_FAILURES = [
  // The provider's response belongs to no pending sign-in: the flow has expired or was already used, or the response is
  // forged.
  'flow_expired',
  // There is no active connection: it was disabled, removed, or never existed.
  'connection_inactive',
  // The identity provider refused, or the person cancelled.
  'provider_refused',
  'provider_unavailable',
  // The provider's response failed a check: signature, issuer, audience, nonce, time and so on.
  'response_invalid',
  'email_missing',
  'email_unverified',
  'email_domain_not_allowed',
  // No account of this organization has the address, and none may be created for it. The reason does not reveal whether
  // the address has an account elsewhere.
  'no_account',
  // The linked account is disabled or no longer belongs to the organization.
  'access_ended',
  // A fresh authentication was requested, and the provider did not confirm one.
  'reauthentication_unproven',
  // The request could not be read.
  'request_invalid',
  // The logout message is not validly signed by the provider.
  'logout_refused',
  'throttled',
  'temporarily_unavailable',
] as const;
export type SsoFailure = (typeof SSO_FAILURES)[number];

/**
 * Reasons that are recorded for refused sign-ins: each reason that the callback URL can get, and `code_refused` for a
 * one-time code that had expired or was presented by another client.
 */
export const REFUSAL_REASONS = [...SSO_FAILURES, 'code_refused'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];
