/** Why somebody was told of something, or was not: what is on record, and where nothing is, what the rules of delivery say. */
import { currentOrganization, firstRow, rows } from '../database/rows.js';
import { concernsAnybody, type Subject } from './concernsAnybody.js';
import { checked, judged, rulesOf, type Told } from './deliveries/rules.js';
import { CRITICAL_EVENTS, type EventType } from './eventTypes.js';
import { quoted } from './statements.js';
import { allTypes, type NotificationType } from './types.js';

export const EXPLAINED = ['in_app', 'email', 'push'] as const;
export type Explained = (typeof EXPLAINED)[number];

export const OUTCOMES = ['sent', 'waiting', 'suppressed', 'failed', 'unknown'] as const;
export const RESULTS = ['passed', 'held', 'not_asked'] as const;

export interface ChannelExplanation {
  outcome: (typeof OUTCOMES)[number];
  /** Why not, or why not yet. */
  reason: string | null;
  /** When that was decided; until when it waits, where it does. */
  at: string | null;
  /** The rules in the order in which they are asked: `held` is the first that kept it back. */
  checks: { rule: string; result: (typeof RESULTS)[number] }[];
  you_can_change: boolean;
}

export type Explanation = {
  notification: string | null;
  notification_type: string;
  event_type: EventType;
  subject: { type: string; id: string };
} & Record<Explained, ChannelExplanation>;

/** What the person it is about may do something against. */
const CHANGEABLE = new Set([
  'muted',
  'ignored',
  'preference_off',
  'quiet_hours',
  'no_verified_address',
  'no_device',
  'not_subscribed',
]);

interface Judged {
  id: string | null;
  notification_type: string;
  event_type: EventType;
  subject_type: string;
  subject_id: string;
  visible: boolean;
  /** Whether the type's own rule names this person; null where a caller said whom. */
  concerned: boolean | null;
  recorded: { outcome: ChannelExplanation['outcome']; reason: string | null; at: string | null } | null;
  checks: { rule: string; holds: boolean }[];
}

/** Somebody's rows `n` of the open tenant: `$1` is the organization, `$2` the person. */
const OWN_ROWS = `(SELECT n.* FROM notifications n WHERE n.organization_id = $1 AND n.recipient_id = $2 AND `;

/** What is on record of a channel of `n`. A person's phones are one channel: what reached one of them has reached the person. */
const RECORDED: Record<Explained, string> = {
  in_app: `json_build_object('outcome', CASE WHEN n.unlisted_reason IS NULL THEN 'sent' ELSE 'suppressed' END,
    'reason', n.unlisted_reason, 'at', n.created_at)`,
  email: recordOf(`d.channel = 'email'`),
  push: recordOf(`d.channel <> 'email'`),
};

function recordOf(channel: string): string {
  return `(SELECT json_build_object('outcome', coalesce(d.outcome, 'waiting'), 'reason', d.reason,
      'at', CASE WHEN d.outcome IS NULL THEN d.due_at ELSE d.concluded_at END)
     FROM notification_deliveries d
    WHERE d.organization_id = n.organization_id AND d.notification_id = n.id AND ${channel}
    ORDER BY (d.outcome = 'sent') DESC NULLS LAST, d.outcome IS NULL DESC LIMIT 1)`;
}

const RULES_OF: Record<Explained, Told> = { in_app: 'in_app', email: 'email', push: 'push' };

/** Notifications `n` whose delivery is judged. */
interface Source {
  sql: string;
  values: unknown[];
  /** What they can be of. */
  types: readonly NotificationType[];
  /** SQL that is true where the type's own rule names the person. */
  concerned: string;
}

const judge = (way: Explained, { sql, values, types, concerned }: Source): Promise<Judged[]> =>
  rows<Judged>(
    `SELECT n.id, n.notification_type, n.event_type, n.subject_type, n.subject_id, f.facts IS NOT NULL AS visible,
            ${concerned} AS concerned, CASE WHEN n.id IS NOT NULL THEN ${RECORDED[way]} END AS recorded,
            ${checked(RULES_OF[way])} AS checks
     ${judged(sql, RULES_OF[way], types)} ORDER BY n.id, n.notification_type`,
    values,
  );

/** @returns null for one that is not this person's */
export async function explainNotification(userId: string, id: string): Promise<Explanation | null> {
  const values = [currentOrganization(), userId, id];
  const known = await firstRow<{ type: string }>(
    `SELECT n.notification_type AS type FROM ${OWN_ROWS} n.id = $3) n`,
    values,
  );
  if (!known) return null;
  const types = typesWhere(({ name }) => name === known.type);
  const [explanation] = await explain({ sql: `${OWN_ROWS} n.id = $3)`, values, types, concerned: 'NULL' });
  return explanation?.explanation ?? null;
}

interface Asker {
  userId: string;
  /** Whether they may read the subject itself, also where they were not notified of it. */
  mayRead: () => Promise<boolean>;
}

/**
 * Explains why a person was or was not told of what happened to a subject: each notification of it that they have; without
 * any, each that others have, or that there could be.
 * @param asker the person, or an admin, who sees what is there for anybody
 * @returns nothing when there is no such subject for the asker
 */
export async function explainSubject(userId: string, subject: Subject, asker: Asker): Promise<Explanation[]> {
  const values = [currentOrganization(), userId, subject.id];
  const own = await explain({
    sql: `${OWN_ROWS} n.subject_type = ${quoted(subject.type)} AND n.subject_id = $3)`,
    values,
    types: typesWhere((type) => type.subject === subject.type),
    concerned: 'NULL',
  });
  if (own.length > 0) return own.map(({ explanation }) => explanation);
  const { types, isTold } = await typesOf(subject);
  if (types.length === 0) return [];
  const judgements = await explainImagined(userId, subject, types);
  const isThere = async () =>
    judgements.some(({ visible }) => visible) ||
    (await asker.mayRead()) ||
    (asker.userId !== userId &&
      (isTold ||
        (await concernsAnybody(subject, types)) ||
        (await explainImagined(asker.userId, subject, types)).some(({ visible }) => visible)));
  return (await isThere()) ? judgements.map(({ explanation }) => explanation) : [];
}

/** As if each type had told the person of the subject. */
function explainImagined(userId: string, subject: Subject, types: readonly NotificationType[]) {
  const imagined = types.map(
    ({ name, event, needsAccess }) =>
      `(${quoted(name)}, ${quoted(event)}, ${needsAccess}, ${CRITICAL_EVENTS.has(event)})`,
  );
  const concerned = types.map(({ name, recipients }) =>
    recipients === null
      ? `WHEN ${quoted(name)} THEN NULL::boolean`
      : `WHEN ${quoted(name)} THEN n.recipient_id IN (SELECT told.user_id FROM (SELECT n.organization_id, n.subject_id) s
           CROSS JOIN LATERAL (${recipients}) told)`,
  );
  return explain({
    sql: `(SELECT NULL::uuid AS id, $1::uuid AS organization_id, $2::uuid AS recipient_id, ${quoted(subject.type)} AS subject_type,
             $3::uuid AS subject_id, NULL::uuid AS actor_id, NULL::timestamptz AS read_at, ''::text AS title, ''::text AS body,
             '' AS unlisted_reason, now() AS created_at, t.name AS notification_type, t.event AS event_type,
             t.needs_access, t.critical
        FROM (VALUES ${imagined.join(', ')}) AS t (name, event, needs_access, critical))`,
    values: [currentOrganization(), userId, subject.id],
    types,
    concerned: `CASE n.notification_type ${concerned.join(' ')} END`,
  });
}

/** The types that told somebody of the subject; where none did, those that could. */
async function typesOf(subject: Subject): Promise<{ types: NotificationType[]; isTold: boolean }> {
  const possible = allTypes().filter((type) => type.subject === subject.type);
  const told = await rows<{ name: string }>(
    `SELECT DISTINCT notification_type AS name FROM notifications
      WHERE organization_id = $1 AND subject_id = $2 AND subject_type = $3`,
    [currentOrganization(), subject.id, subject.type],
  );
  const names = new Set(told.map(({ name }) => name));
  const isTold = names.size > 0;
  return { types: isTold ? possible.filter(({ name }) => names.has(name)) : possible, isTold };
}

/** One at least: without any that fits, one that judges nothing. */
function typesWhere(fits: (type: NotificationType) => boolean): NotificationType[] {
  const all = allTypes();
  const fitting = all.filter(fits);
  return fitting.length > 0 ? fitting : all.slice(0, 1);
}

async function explain(source: Source) {
  const byWay = { in_app: [], email: [], push: [] } as Record<Explained, Judged[]>;
  for (const way of EXPLAINED) byWay[way] = await judge(way, source);
  return byWay.in_app.map((one, at) => {
    const { id, notification_type, event_type, subject_type, subject_id } = one;
    const channels = EXPLAINED.map((way) => [way, channelOf(way, byWay[way][at] as Judged)]);
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

function channelOf(way: Explained, { id, recorded, concerned, checks }: Judged): ChannelExplanation {
  // On record: the rules were asked until one held.
  if (recorded && recorded.outcome !== 'waiting') return asRecorded(way, recorded);
  const holding = checks.find(({ holds }) => holds)?.rule ?? null;
  const reason =
    recorded?.reason ?? (concerned === false ? 'not_subscribed' : (holding ?? (way === 'push' ? 'no_device' : null)));
  return {
    outcome: recorded ? 'waiting' : id === null && reason === null ? 'unknown' : 'suppressed',
    reason,
    at: recorded?.at ?? null,
    checks: checks.map(({ rule, holds }) => ({ rule, result: holds ? 'held' : 'passed' })),
    you_can_change: reason !== null && CHANGEABLE.has(reason),
  };
}

function asRecorded(way: Explained, { outcome, reason, at }: NonNullable<Judged['recorded']>): ChannelExplanation {
  const rules = rulesOf(RULES_OF[way]).map(({ reason: rule }) => rule);
  const stopped = reason === null ? -1 : rules.indexOf(reason);
  const checks = rules.map((rule, n) => {
    const result = stopped === -1 || n < stopped ? 'passed' : n === stopped ? 'held' : 'not_asked';
    return { rule, result } as const;
  });
  return { outcome, reason, at, checks, you_can_change: reason !== null && CHANGEABLE.has(reason) };
}
