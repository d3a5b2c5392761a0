/** The throttle table of the spec ('Limits'), as data. */

export type ThrottleKey = 'ip' | 'user' | 'email' | 'target';

export interface ThrottleRule {
  limit: number;
  windowSeconds: number;
  key: ThrottleKey;
  /** Counted exactly across processes, and closed when the store is down. */
  sensitive: boolean;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const rule = (limit: number, windowSeconds: number, key: ThrottleKey, sensitive: boolean): ThrottleRule => ({
  limit,
  windowSeconds,
  key,
  sensitive,
});

/** Limits per scope; `THROTTLE_LIMITS` changes the numbers, never the scopes. */
export const SCOPES = {
  default_anonymous: rule(2000, DAY, 'ip', false),
  default_authenticated: rule(2000, DAY, 'user', false),
  auth: rule(60, MINUTE, 'ip', true),
  token_refresh: rule(120, MINUTE, 'ip', true),
  sso: rule(20, MINUTE, 'ip', true),
  sso_discovery: rule(120, MINUTE, 'ip', true),
  account_request: rule(30, HOUR, 'ip', true),
  account_request_email: rule(2, HOUR, 'email', true),
  password_reset: rule(20, HOUR, 'ip', true),
  password_reset_email: rule(3, HOUR, 'email', true),
  admin_password_reset_target: rule(10, HOUR, 'target', true),
  passkey_begin: rule(60, MINUTE, 'ip', true),
  passkey_complete: rule(30, MINUTE, 'ip', true),
  pnm_submit_ip: rule(5, HOUR, 'ip', true),
  pnm_submit_email: rule(1, MINUTE, 'email', true),
  pnm_verify_email: rule(5, HOUR, 'ip', true),
  public_reference_letter: rule(5, HOUR, 'ip', true),
} as const satisfies Record<string, ThrottleRule>;

export type ThrottleScope = keyof typeof SCOPES;
