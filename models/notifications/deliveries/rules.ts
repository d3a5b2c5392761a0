/**
 * Whether a notification reaches its recipient on a channel, decided when it is delivered: the first 'no' is the reason. The
 * same rules explain it afterwards, so that what is said of a delivery is what decided it.
 */
import { configuredPlatforms } from '../push/configured.js';
import { devicesOf } from '../push/devices.js';
import { PLATFORMS, type Platform } from '../push/PushToken.js';
import { choices, HAS_ACCESS, quoted, wanted } from '../statements.js';
import { allTypes, type NotificationType } from '../types.js';

export const CHANNELS = ['email', 'ios', 'android'] as const;
export type Channel = (typeof CHANNELS)[number];
/** Also how somebody is told in the app, which needs no delivery, and on whatever phone. */
export type Told = Channel | 'in_app' | 'push';

const platformsOf = (channel: Told): readonly Platform[] =>
  channel === 'push' ? PLATFORMS : PLATFORMS.filter((platform) => platform === channel);

interface Rule {
  /** Why not. */
  reason: string;
  /** SQL that is true where it holds the delivery back. `n` is the notification, `j` what was looked up for it. */
  holds: string;
}

/** What comes before any question of the channel. */
const ABOUT_THE_PERSON: readonly Rule[] = [
  { reason: 'no_access', holds: 'n.needs_access AND NOT j.has_access' },
  // What was taken back stays so, though it was under way then and is to be tried again.
  { reason: 'withdrawn', holds: `f.facts IS NULL OR n.unlisted_reason = 'withdrawn'` },
  { reason: 'own_action', holds: 'n.actor_id IS NOT DISTINCT FROM n.recipient_id' },
  {
    reason: 'muted',
    holds: `EXISTS (SELECT FROM notification_mutes m WHERE m.organization_id = n.organization_id
      AND m.user_id = n.recipient_id AND m.subject_type = n.subject_type AND m.subject_id = n.subject_id)`,
  },
  { reason: 'preference_off', holds: 'NOT j.wanted' },
];

/** What may make a delivery wait, or needless. */
const ABOUT_THE_MOMENT: readonly Rule[] = [
  { reason: 'quiet_hours', holds: 'j.quiet_until IS NOT NULL' },
  { reason: 'already_read', holds: 'n.read_at IS NOT NULL' },
];

const ABOUT_MAIL: readonly Rule[] = [
  { reason: 'by_account_notice', holds: 'coalesce(t.mailed_elsewhere, false)' },
  { reason: 'no_verified_address', holds: 'j.address IS NULL' },
  {
    reason: 'address_suppressed',
    holds: `EXISTS (SELECT FROM mail_suppressions s WHERE s.organization_id = n.organization_id AND s.email = lower(j.address))`,
  },
];

const aboutPush = (channel: Told): readonly Rule[] => {
  const platforms = platformsOf(channel);
  const configured = configuredPlatforms();
  const reachable = platforms.filter((platform) => configured[platform]);
  return [
    { reason: 'no_device', holds: `NOT EXISTS (SELECT FROM ${devicesOf(platforms)})` },
    { reason: 'no_credentials', holds: `NOT EXISTS (SELECT FROM ${devicesOf(reachable)})` },
    // Of what a gateway would not take for so long nobody wants to hear any more.
    { reason: 'gateway_rejected', holds: `n.created_at < now() - interval '2 days'` },
  ];
};

/** The rules of a channel, in the order in which they are asked. */
export const rulesOf = (channel: Told): readonly Rule[] => [
  ...ABOUT_THE_PERSON,
  ...(channel === 'in_app' ? [] : ABOUT_THE_MOMENT),
  ...(channel === 'email' ? ABOUT_MAIL : []),
  ...(platformsOf(channel).length > 0 ? aboutPush(channel) : []),
];

/** By which preference a channel goes. */
const WAY_OF = { in_app: 'in_app', email: 'email', ios: 'push', android: 'push', push: 'push' } as const;

/** The primary address, which is a proven one. Who has no account yet is written to at the address that somebody typed, of what needs no access. */
const ADDRESS = 'CASE WHEN u.placeholder_in IS NULL THEN u.email WHEN NOT n.needs_access THEN u.typed_email END';

/**
 * A phone shows its texts to everybody who sees its screen: without amounts, and without any text where the organization
 * wants that, where the type is `secluded`, or where the type is unknown.
 */
const SAID_ON_A_PHONE = `
  SELECT CASE WHEN hidden THEN 'You have a new notification'
              ELSE coalesce(nullif(app.fill_text(t.title, app.without_amounts(f.facts), 200), ''), 'You have a new notification') END AS title,
         CASE WHEN hidden THEN '' ELSE coalesce(app.fill_text(t.body, app.without_amounts(f.facts), 500), '') END AS body
    FROM (SELECT t.name IS NULL OR t.secluded OR EXISTS (SELECT FROM notification_settings s
            WHERE s.organization_id = n.organization_id AND NOT s.push_previews) AS hidden) about`;

/**
 * FROM and joins that judge notifications `n` for a channel: `v.reason` (null: deliver), `f.facts`, texts as they are now
 * (`x.title`, `x.body`) and as the channel says them (`said`), `j.quiet_until` and `j.address`. A type that no area has (rows of a newer release) is told as it was written.
 * @param types which `n` can be of, one at least: each makes the statement longer, and planning it takes its time
 */
export function judged(n: string, channel: Told, types: readonly NotificationType[] = allTypes()): string {
  const texts = types.map(
    ({ name, title, body, mailedAsAccountNotice = false, secluded = false }) =>
      `(${quoted(name)}, ${quoted(title)}, ${quoted(body)}, ${mailedAsAccountNotice}, ${secluded})`,
  );
  const facts = types.map(({ name, facts: sql }) => `WHEN ${quoted(name)} THEN (${sql})`);
  const reasons = rulesOf(channel).map(({ reason, holds }) => `WHEN ${holds} THEN ${quoted(reason)}`);
  return `
    FROM ${n} n
    LEFT JOIN (VALUES ${texts.join(', ')}) AS t (name, title, body, mailed_elsewhere, secluded) ON t.name = n.notification_type
    LEFT JOIN users u ON u.id = n.recipient_id
    ${choices()}
    CROSS JOIN LATERAL (SELECT CASE n.notification_type ${facts.join(' ')} ELSE '{}'::jsonb END AS facts OFFSET 0) f
    CROSS JOIN LATERAL (SELECT
      ${HAS_ACCESS} AS has_access, ${wanted(WAY_OF[channel])} AS wanted, ${ADDRESS} AS address,
      CASE WHEN NOT n.critical THEN app.held_until(n.recipient_id, n.created_at) END AS quiet_until) j
    CROSS JOIN LATERAL (SELECT CASE ${reasons.join(' ')} END AS reason) v
    CROSS JOIN LATERAL (SELECT
      coalesce(nullif(app.fill_text(t.title, f.facts, 200), ''), n.title) AS title,
      coalesce(app.fill_text(t.body, f.facts, 500), n.body) AS body) x
    CROSS JOIN LATERAL (${platformsOf(channel).length > 0 ? SAID_ON_A_PHONE : 'SELECT x.title, x.body'}) said`;
}

/** JSON of each rule of a channel and whether it holds, over what `judged` joins. */
export const checked = (channel: Told): string =>
  `json_build_array(${rulesOf(channel)
    .map(({ reason, holds }) => `json_build_object('rule', ${quoted(reason)}, 'holds', coalesce(${holds}, false))`)
    .join(', ')})`;
