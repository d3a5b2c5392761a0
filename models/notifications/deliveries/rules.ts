/**
 * The rules that decide at delivery whether a notification reaches its recipient on a channel. The first rule that
 * holds gives the reason. The same rules explain the decision afterwards.
 */
import { configuredPlatforms } from '../push/configured.js';
import { devicesOf } from '../push/devices.js';
import { PLATFORMS, type Platform } from '../push/PushToken.js';
import { effectivePreference, factsByType, HAS_ACCESS, preferenceJoins, quoted } from '../statements.js';
import { allTypes, type NotificationType } from '../types.js';

export const CHANNELS = ['email', 'ios', 'android'] as const;
export type Channel = (typeof CHANNELS)[number];
/**
 * The channels for which rules are evaluated: a delivery channel; `in_app`, which needs no delivery; or `push`, which
 * stands for all phones of a person.
 */
export type EvaluatedChannel = Channel | 'in_app' | 'push';

const platformsOf = (channel: EvaluatedChannel): readonly Platform[] =>
  channel === 'push' ? PLATFORMS : PLATFORMS.filter((platform) => platform === channel);

interface Rule {
  /** The reason that is recorded if the rule blocks. */
  reason: string;
  /**
   * SQL condition under which the rule blocks the delivery. `n` is the notification; `j` has the values that were
   * looked up for the notification.
   */
  holds: string;
}

/** Rules about the recipient, which apply to every channel. */
const RECIPIENT_RULES: readonly Rule[] = [
  { reason: 'no_access', holds: 'n.needs_access AND NOT j.has_access' },
  // Withdrawal also blocks a delivery that was claimed before and is now retried.
  { reason: 'withdrawn', holds: `f.facts IS NULL OR n.unlisted_reason = 'withdrawn'` },
  { reason: 'own_action', holds: 'n.actor_id IS NOT DISTINCT FROM n.recipient_id' },
  {
    reason: 'muted',
    holds: `EXISTS (SELECT FROM notification_mutes m WHERE m.organization_id = n.organization_id
      AND m.user_id = n.recipient_id AND m.subject_type = n.subject_type AND m.subject_id = n.subject_id)`,
  },
  { reason: 'preference_off', holds: 'NOT j.wanted' },
];

/** Rules that delay a delivery or make it unnecessary. */
const TIMING_RULES: readonly Rule[] = [
  { reason: 'quiet_hours', holds: 'j.quiet_until IS NOT NULL' },
  { reason: 'already_read', holds: 'n.read_at IS NOT NULL' },
];

const MAIL_RULES: readonly Rule[] = [
  { reason: 'by_account_notice', holds: 'coalesce(t.mailed_elsewhere, false)' },
  { reason: 'no_verified_address', holds: 'j.address IS NULL' },
  {
    reason: 'address_suppressed',
    holds: `EXISTS (SELECT FROM mail_suppressions s WHERE s.organization_id = n.organization_id AND s.email = lower(j.address))`,
  },
];

const pushRulesOf = (channel: EvaluatedChannel): readonly Rule[] => {
  const platforms = platformsOf(channel);
  const configured = configuredPlatforms();
  const reachable = platforms.filter((platform) => configured[platform]);
  return [
    { reason: 'no_device', holds: `NOT EXISTS (SELECT FROM ${devicesOf(platforms)})` },
    { reason: 'no_credentials', holds: `NOT EXISTS (SELECT FROM ${devicesOf(reachable)})` },
    // A push that no gateway has accepted for two days is outdated and not sent any more.
    { reason: 'gateway_rejected', holds: `n.created_at < now() - interval '2 days'` },
  ];
};

/** Returns the rules of a channel, in the order in which they are evaluated. */
export const rulesOf = (channel: EvaluatedChannel): readonly Rule[] => [
  ...RECIPIENT_RULES,
  ...(channel === 'in_app' ? [] : TIMING_RULES),
  ...(channel === 'email' ? MAIL_RULES : []),
  ...(platformsOf(channel).length > 0 ? pushRulesOf(channel) : []),
];

/** The preference that applies to each channel. */
const PREFERENCE_OF = { in_app: 'in_app', email: 'email', ios: 'push', android: 'push', push: 'push' } as const;

/**
 * SQL for the address to which mail is sent: the verified primary address of an account. A person without an account
 * (placeholder) gets mail at the address that an officer entered, but only for types that need no access.
 */
const ADDRESS = 'CASE WHEN u.placeholder_in IS NULL THEN u.email WHEN NOT n.needs_access THEN u.typed_email END';

/**
 * SQL: the texts of a push. Everybody near a phone can read its screen, so amounts are left out. No text is shown if
 * the organization turned previews off, if the type has `hideFromPush`, or if the type is unknown.
 */
const PUSH_TEXTS = `
  SELECT CASE WHEN hidden THEN 'You have a new notification'
              ELSE coalesce(nullif(app.fill_text(t.title, app.without_amounts(f.facts), 200), ''), 'You have a new notification') END AS title,
         CASE WHEN hidden THEN '' ELSE coalesce(app.fill_text(t.body, app.without_amounts(f.facts), 500), '') END AS body
    FROM (SELECT t.name IS NULL OR t.hide_from_push OR EXISTS (SELECT FROM notification_settings s
            WHERE s.organization_id = n.organization_id AND NOT s.push_previews) AS hidden) about`;

/**
 * Returns the FROM clause and joins that evaluate notifications `n` for a channel. The clause provides `v.reason` (why
 * not to deliver; null: deliver), `f.facts`, the current texts (`x.title`, `x.body`), the texts for the channel
 * (`said`), `j.quiet_until` and `j.address`. A type that no area declares (a row from a newer release) keeps its stored
 * texts.
 * @param types the types that `n` can have, at least one; fewer types make the statement shorter and its planning
 * faster
 */
export function evaluatedDeliveries(
  n: string,
  channel: EvaluatedChannel,
  types: readonly NotificationType[] = allTypes(),
): string {
  const texts = types.map(
    ({ name, title, body, mailedAsAccountNotice = false, hideFromPush = false }) =>
      `(${quoted(name)}, ${quoted(title)}, ${quoted(body)}, ${mailedAsAccountNotice}, ${hideFromPush})`,
  );
  const reasons = rulesOf(channel).map(({ reason, holds }) => `WHEN ${holds} THEN ${quoted(reason)}`);
  return `
    FROM ${n} n
    LEFT JOIN (VALUES ${texts.join(', ')}) AS t (name, title, body, mailed_elsewhere, hide_from_push) ON t.name = n.notification_type
    LEFT JOIN users u ON u.id = n.recipient_id
    ${preferenceJoins()}
    CROSS JOIN LATERAL (SELECT ${factsByType(types)} AS facts OFFSET 0) f
    CROSS JOIN LATERAL (SELECT
      ${HAS_ACCESS} AS has_access, ${effectivePreference(PREFERENCE_OF[channel])} AS wanted, ${ADDRESS} AS address,
      CASE WHEN NOT n.critical THEN app.held_until(n.recipient_id, n.created_at) END AS quiet_until) j
    CROSS JOIN LATERAL (SELECT CASE ${reasons.join(' ')} END AS reason) v
    CROSS JOIN LATERAL (SELECT
      coalesce(nullif(app.fill_text(t.title, f.facts, 200), ''), n.title) AS title,
      coalesce(app.fill_text(t.body, f.facts, 500), n.body) AS body) x
    CROSS JOIN LATERAL (${platformsOf(channel).length > 0 ? PUSH_TEXTS : 'SELECT x.title, x.body'}) said`;
}

/**
 * Returns SQL for a JSON array of a channel's rules. Each element says whether its rule blocks. The query must contain
 * the joins of `evaluatedDeliveries`.
 */
export const ruleResults = (channel: EvaluatedChannel): string =>
  `json_build_array(${rulesOf(channel)
    .map(({ reason, holds }) => `json_build_object('rule', ${quoted(reason)}, 'holds', coalesce(${holds}, false))`)
    .join(', ')})`;
