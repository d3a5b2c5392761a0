/** The throttle table of the spec ('Limits'), as data. */
import { type Config, config, type ThrottleScope } from '../../../config.js';

/**
 * ip: the caller's address. user: the signed-in person. caller: the person, else the address; on a public route
 * always the address. email: the address in the body. target: a row that is acted on; the handler counts it
 * (`spendOnTarget`).
 */
export type ThrottleKey = 'ip' | 'user' | 'caller' | 'email' | 'target';

export interface ThrottleRule {
  limit: number;
  /** Limit outside of production, where it differs. */
  developmentLimit?: number;
  windowSeconds: number;
  key: ThrottleKey;
  /** Whether hits are counted exactly across processes, and requests are refused when the store is down. */
  sensitive: boolean;
  /** Successful requests get their hit refunded. */
  failuresOnly?: boolean;
  /** Only accepted requests count: the handler counts them in its own transaction (`spendAccepted`). */
  acceptedOnly?: boolean;
  /** Scope from which the configured limit is taken, unless a limit is configured for this scope itself. */
  like?: ThrottleScope;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const exact = (limit: number, windowSeconds: number, key: ThrottleKey): ThrottleRule => ({
  limit,
  windowSeconds,
  key,
  sensitive: true,
});

const accepted = (limit: number, windowSeconds: number, key: ThrottleKey) => ({
  ...exact(limit, windowSeconds, key),
  acceptedOnly: true as const,
});

const daily = (limit: number, developmentLimit: number, key: ThrottleKey): ThrottleRule => ({
  limit,
  developmentLimit,
  windowSeconds: DAY,
  key,
  sensitive: false,
});

/** Limits per scope; `THROTTLE_LIMITS` changes the numbers, never the scopes. */
export const SCOPES = {
  default_anonymous: daily(2000, 10_000, 'ip'),
  default_authenticated: daily(2000, 100_000, 'user'),
  // The throttle of sign-in by password or SSO, and of step-up.
  auth: exact(60, MINUTE, 'ip'),
  token_refresh: exact(120, MINUTE, 'ip'),
  // A successful sign-in by SSO is counted once, when it begins.
  sso: exact(20, MINUTE, 'ip'),
  sso_exchange: { ...exact(20, MINUTE, 'ip'), failuresOnly: true, like: 'sso' },
  sso_discovery: exact(120, MINUTE, 'ip'),
  account_request: accepted(30, HOUR, 'ip'),
  account_request_email: accepted(2, HOUR, 'email'),
  password_reset: exact(20, HOUR, 'ip'),
  password_reset_email: exact(3, HOUR, 'email'),
  admin_password_reset_target: exact(10, HOUR, 'target'),
  passkey_begin: exact(60, MINUTE, 'caller'),
  passkey_complete: exact(30, MINUTE, 'caller'),
  // Not in the spec: drafts are saved while they are typed, by up to forty people at once behind the address of a
  // campus.
  pnm_form: { limit: 1200, windowSeconds: MINUTE, key: 'ip', sensitive: false },
  // Not in the spec: all public forms that one network sends, accepted or refused. Limits the cost of invalid forms.
  // Forty people at once, each with several typing errors, stay below it.
  public_form: { limit: 300, windowSeconds: MINUTE, key: 'ip', sensitive: false },
  pnm_submit_ip: accepted(5, HOUR, 'ip'),
  // Not in the spec: files per network. Allows an information night of fifty people with four files each.
  pnm_attachment: exact(200, HOUR, 'ip'),
  // Counts submissions per e-mail address of the draft. A submission that is refused for another reason is not counted.
  pnm_submit_email: exact(1, MINUTE, 'target'),
  pnm_verify_email: accepted(5, HOUR, 'ip'),
  public_reference_letter: accepted(5, HOUR, 'ip'),
  // Not in the spec: limits the public verification of codes. High enough for a queue of people at one entrance.
  public_good_standing: { limit: 60, windowSeconds: MINUTE, key: 'ip', sensitive: false },
  // Not in the spec: anyone may verify the code of a receipt, as with `public_good_standing`.
  public_receipt: { limit: 60, windowSeconds: MINUTE, key: 'ip', sensitive: false },
  // Not in the spec: limits how often one receipt is mailed again.
  receipt_resend: exact(3, DAY, 'target'),
  // Not in the spec: reads of campaigns and gifts, by the donors behind one address.
  public_giving: { limit: 600, windowSeconds: MINUTE, key: 'ip', sensitive: false },
  donate: { limit: 600, windowSeconds: HOUR, key: 'ip', sensitive: false },
  // Counts gifts per e-mail address. A gift that is refused for another reason is not counted.
  donate_email: exact(10, HOUR, 'target'),
  // Not in the spec: links by mail with which donors sign in, per network and per address that receives them.
  donor_link: exact(30, HOUR, 'ip'),
  donor_link_email: exact(3, HOUR, 'target'),
  // Not in the spec: texts that one person writes and flags in the forums of an organization.
  forum_post: exact(30, HOUR, 'target'),
  forum_comment: exact(120, HOUR, 'target'),
  forum_flag: exact(60, HOUR, 'target'),
  // Not in the spec: allows a provider to sign out a whole campus from one address.
  sso_logout: exact(600, MINUTE, 'ip'),
  // Not in the spec: verification mails per person.
  email_verification: exact(20, HOUR, 'user'),
  // Not in the spec: a phone that polls counts every minute must not use up the daily budget.
  notification_counts: { limit: 30, windowSeconds: MINUTE, key: 'user', sensitive: false },
  // Not in the spec: a page that polls one of these addresses every 10 seconds must not use up the daily budget.
  console: { limit: 30, developmentLimit: 10_000, windowSeconds: MINUTE, key: 'user', sensitive: false },
  // Not in the spec: each of these tests connects to a server that the user configured.
  email_config_test: exact(10, HOUR, 'user'),
  // Not in the spec: test mails of one person's bulletins.
  bulletin_test: exact(20, HOUR, 'user'),
  storage_config_test: exact(10, HOUR, 'user'),
  provisioning_config_test: exact(10, HOUR, 'user'),
} as const satisfies Record<ThrottleScope, ThrottleRule>;

export type { ThrottleScope };

/** Scopes that count only accepted requests. */
export type AcceptedScope = {
  [S in ThrottleScope]: (typeof SCOPES)[S] extends { acceptedOnly: true } ? S : never;
}[ThrottleScope];

/**
 * Scopes of routes that list none. A signed-in caller is counted by the first one, an anonymous caller by the second
 * one.
 */
export const DEFAULT_SCOPES: readonly ThrottleScope[] = ['default_authenticated', 'default_anonymous'];

/** Returns the limit of hits per window: the one in THROTTLE_LIMITS, or else the one in the table. */
export function limitOf(
  scope: ThrottleScope,
  { THROTTLE_LIMITS, production }: Pick<Config, 'THROTTLE_LIMITS' | 'production'> = config,
): number {
  const rule: ThrottleRule = SCOPES[scope];
  const configured = THROTTLE_LIMITS[scope] ?? (rule.like && THROTTLE_LIMITS[rule.like]);
  return configured ?? (production ? rule.limit : (rule.developmentLimit ?? rule.limit));
}
