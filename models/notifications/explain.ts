/**
 * Explains why a person was or was not notified of an event. Uses the recorded outcome if there is one, and otherwise
 * evaluates the delivery rules.
 */
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { hasAnyRecipient, type Subject } from './hasAnyRecipient.js';
import { ruleResults, evaluatedDeliveries, rulesOf, type EvaluatedChannel } from './deliveries/rules.js';
import { CRITICAL_EVENTS, type EventType } from './eventTypes.js';
import { quoted, recipientsSql } from './statements.js';
import { allTypes, type NotificationType } from './types.js';

export const EXPLAINED_CHANNELS = ['in_app', 'email', 'push'] as const;
export type ExplainedChannel = (typeof EXPLAINED_CHANNELS)[number];

export const OUTCOMES = ['sent', 'waiting', 'suppressed', 'failed', 'unknown'] as const;
export const RESULTS = ['passed', 'held', 'not_asked'] as const;

export interface ChannelExplanation {
  outcome: (typeof OUTCOMES)[number];
  /** Why the notification was not delivered or is not delivered yet; null if it was delivered. */
  reason: string | null;
  /** When the reason was decided. While the delivery waits: the time until which it waits. */
  at: string | null;
  /**
   * The delivery rules in the order in which they are evaluated. `held` marks a rule that blocks; the first such rule
   * is the reason.
   */
  checks: { rule: string; result: (typeof RESULTS)[number] }[];
  you_can_change: boolean;
}

export type Explanation = {
  notification: string | null;
  notification_type: string;
  event_type: EventType;
  subject: { type: string; id: string };
} & Record<ExplainedChannel, ChannelExplanation>;

/** Reasons that the recipient can remove themselves. */
const CHANGEABLE = new Set([
  'muted',
  'preference_off',
  'quiet_hours',
  'no_verified_address',
  'no_device',
  'not_subscribed',
]);

interface EvaluatedNotification {
  id: string | null;
  notification_type: string;
  event_type: EventType;
  subject_type: string;
  subject_id: string;
  visible: boolean;
  /**
   * Whether the notification type has a rule that names this person as a recipient; null if the type has no rule
   * because the caller chooses the recipients.
   */
  concerned: boolean | null;
  recorded: { outcome: ChannelExplanation['outcome']; reason: string | null; at: string | null } | null;
  checks: { rule: string; holds: boolean }[];
}

/**
 * SQL: the beginning of a subquery that selects notifications `n` of person `$2` in organization `$1`. The caller
 * appends a condition.
 */
const OWN_ROWS = `(SELECT n.* FROM notifications n WHERE n.organization_id = $1 AND n.recipient_id = $2 AND `;

/**
 * SQL for the recorded outcome of `n` on each channel. All phones of a person are one channel, which counts as sent if
 * one phone received the push.
 */
const RECORDED: Record<ExplainedChannel, string> = {
  in_app: `json_build_object('outcome', CASE WHEN n.unlisted_reason IS NULL THEN 'sent' ELSE 'suppressed' END,
    'reason', n.unlisted_reason, 'at', n.created_at)`,
  email: recordedOutcome(`d.channel = 'email'`),
  push: recordedOutcome(`d.channel <> 'email'`),
};

function recordedOutcome(channel: string): string {
  return `(SELECT json_build_object('outcome', coalesce(d.outcome, 'waiting'), 'reason', d.reason,
      'at', CASE WHEN d.outcome IS NULL THEN d.due_at ELSE d.concluded_at END)
     FROM notification_deliveries d
    WHERE d.organization_id = n.organization_id AND d.notification_id = n.id AND ${channel}
    ORDER BY (d.outcome = 'sent') DESC NULLS LAST, d.outcome IS NULL DESC LIMIT 1)`;
}

const RULES_OF: Record<ExplainedChannel, EvaluatedChannel> = { in_app: 'in_app', email: 'email', push: 'push' };

/** The notifications `n` whose delivery is evaluated. */
interface Source {
  sql: string;
  values: unknown[];
  /** The types that these notifications can have. */
  types: readonly NotificationType[];
  /** SQL: whether the type's recipient rule names the person. */
  concerned: string;
}

const evaluateChannel = (
  channel: ExplainedChannel,
  { sql, values, types, concerned }: Source,
): Promise<EvaluatedNotification[]> =>
  rows<EvaluatedNotification>(
    `SELECT n.id, n.notification_type, n.event_type, n.subject_type, n.subject_id, f.facts IS NOT NULL AS visible,
            ${concerned} AS concerned, CASE WHEN n.id IS NOT NULL THEN ${RECORDED[channel]} END AS recorded,
            ${ruleResults(RULES_OF[channel])} AS checks
     ${evaluatedDeliveries(sql, RULES_OF[channel], types)} ORDER BY n.id, n.notification_type`,
    values,
  );

/**
 * Explains one notification of a person.
 * @returns null if the person has no such notification
 */
export async function explainNotification(userId: string, id: string): Promise<Explanation | null> {
  const values = [currentOrganization(), userId, id];
  const notification = await firstRow<{ type: string }>(
    `SELECT n.notification_type AS type FROM ${OWN_ROWS} n.id = $3) n`,
    values,
  );
  if (!notification) return null;
  const types = typesWhere(({ name }) => name === notification.type);
  const [explanation] = await explain({ sql: `${OWN_ROWS} n.id = $3)`, values, types, concerned: 'NULL' });
  return explanation?.explanation ?? null;
}

interface Requester {
  userId: string;
  /** Reports whether the requester may read the subject itself, even if they were not notified of it. */
  mayRead: () => Promise<boolean>;
}

/**
 * Explains why a person was or was not notified of a subject's events. Covers each notification of the subject that the
 * person has. If they have none, covers the types of which other people were notified, or else all types of such
 * subjects.
 * @param requester the person themselves, or an admin, who may see anybody's explanations
 * @returns an empty list if the requester may not know of the subject
 */
export async function explainSubject(userId: string, subject: Subject, requester: Requester): Promise<Explanation[]> {
  const values = [currentOrganization(), userId, subject.id];
  const existing = await explain({
    sql: `${OWN_ROWS} n.subject_type = ${quoted(subject.type)} AND n.subject_id = $3)`,
    values,
    types: typesWhere((type) => type.subject === subject.type),
    concerned: 'NULL',
  });
  if (existing.length > 0) return existing.map(({ explanation }) => explanation);
  const { types, hasNotified } = await typesOf(subject);
  if (types.length === 0) return [];
  const explanations = await explainHypothetical(userId, subject, types);
  const isVisibleToRequester = async () =>
    explanations.some(({ visible }) => visible) ||
    (await requester.mayRead()) ||
    (requester.userId !== userId &&
      (hasNotified ||
        (await hasAnyRecipient(subject, types)) ||
        (await explainHypothetical(requester.userId, subject, types)).some(({ visible }) => visible)));
  return (await isVisibleToRequester()) ? explanations.map(({ explanation }) => explanation) : [];
}

/**
 * Explains how notifications of these types would be delivered to the person, as if each type had notified them of the
 * subject.
 */
function explainHypothetical(userId: string, subject: Subject, types: readonly NotificationType[]) {
  const hypothetical = types.map(
    ({ name, event, cause, needsAccess }) =>
      `(${quoted(name)}, ${quoted(event)}, ${quoted(cause)}, ${needsAccess}, ${CRITICAL_EVENTS.has(event)})`,
  );
  const concerned = types.map(({ name, recipients }) =>
    recipients === null
      ? `WHEN ${quoted(name)} THEN NULL::boolean`
      : `WHEN ${quoted(name)} THEN n.recipient_id IN (SELECT told.user_id FROM (SELECT n.organization_id, n.subject_id) s
           CROSS JOIN LATERAL ${recipientsSql(recipients)} told)`,
  );
  return explain({
    sql: `(SELECT NULL::uuid AS id, $1::uuid AS organization_id, $2::uuid AS recipient_id, ${quoted(subject.type)} AS subject_type,
             $3::uuid AS subject_id, ${quoted(`${subject.type}:`)} || $3 || ':' || t.cause AS event_id, NULL::uuid AS actor_id, NULL::timestamptz AS read_at, ''::text AS title, ''::text AS body,
             '' AS unlisted_reason, now() AS created_at, t.name AS notification_type, t.event AS event_type,
             t.needs_access, t.critical
        FROM (VALUES ${hypothetical.join(', ')}) AS t (name, event, cause, needs_access, critical))`,
    values: [currentOrganization(), userId, subject.id],
    types,
    concerned: `CASE n.notification_type ${concerned.join(' ')} END`,
  });
}

/**
 * Returns the types that have notified people of the subject. If there are none, returns all types of such subjects.
 */
async function typesOf(subject: Subject): Promise<{ types: NotificationType[]; hasNotified: boolean }> {
  const possible = allTypes().filter((type) => type.subject === subject.type);
  const notified = await rows<{ name: string }>(
    `SELECT DISTINCT notification_type AS name FROM notifications
      WHERE organization_id = $1 AND subject_id = $2 AND subject_type = $3`,
    [currentOrganization(), subject.id, subject.type],
  );
  const names = new Set(notified.map(({ name }) => name));
  const hasNotified = names.size > 0;
  return { types: hasNotified ? possible.filter(({ name }) => names.has(name)) : possible, hasNotified };
}

/** Returns the types that match. If none matches, returns one arbitrary type, because the SQL needs at least one. */
function typesWhere(matches: (type: NotificationType) => boolean): NotificationType[] {
  const all = allTypes();
  const matching = all.filter(matches);
  return matching.length > 0 ? matching : all.slice(0, 1);
}

async function explain(source: Source) {
  const byChannel = { in_app: [], email: [], push: [] } as Record<ExplainedChannel, EvaluatedNotification[]>;
  for (const channel of EXPLAINED_CHANNELS) byChannel[channel] = await evaluateChannel(channel, source);
  return byChannel.in_app.map((one, at) => {
    const { id, notification_type, event_type, subject_type, subject_id } = one;
    const channels = EXPLAINED_CHANNELS.map((channel) => [
      channel,
      channelOf(channel, byChannel[channel][at] as EvaluatedNotification),
    ]);
    const explanation = {
      notification: id,
      notification_type,
      event_type,
      subject: { type: subject_type, id: subject_id },
      ...Object.fromEntries(channels),
    } as Explanation;
    return { explanation, visible: one.visible };
  });
}

function channelOf(
  channel: ExplainedChannel,
  { id, recorded, concerned, checks }: EvaluatedNotification,
): ChannelExplanation {
  // If an outcome is recorded, explains that outcome and ignores the rules' current results. At the time, the rules
  // were evaluated only up to the first one that blocked.
  if (recorded && recorded.outcome !== 'waiting') return recordedExplanation(channel, recorded);
  const blockingRule = checks.find(({ holds }) => holds)?.rule ?? null;
  const reason =
    recorded?.reason ??
    (concerned === false ? 'not_subscribed' : (blockingRule ?? (channel === 'push' ? 'no_device' : null)));
  return {
    outcome: recorded ? 'waiting' : id === null && reason === null ? 'unknown' : 'suppressed',
    reason,
    at: recorded?.at ?? null,
    checks: checks.map(({ rule, holds }) => ({ rule, result: holds ? 'held' : 'passed' })),
    you_can_change: reason !== null && CHANGEABLE.has(reason),
  };
}

function recordedExplanation(
  channel: ExplainedChannel,
  { outcome, reason, at }: NonNullable<EvaluatedNotification['recorded']>,
): ChannelExplanation {
  const rules = rulesOf(RULES_OF[channel]).map(({ reason: rule }) => rule);
  const blockedAt = reason === null ? -1 : rules.indexOf(reason);
  const checks = rules.map((rule, n) => {
    const result = blockedAt === -1 || n < blockedAt ? 'passed' : n === blockedAt ? 'held' : 'not_asked';
    return { rule, result } as const;
  });
  return { outcome, reason, at, checks, you_can_change: reason !== null && CHANGEABLE.has(reason) };
}
