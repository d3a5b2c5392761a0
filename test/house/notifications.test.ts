/** The types of notifications: every type is complete, used, and assigned to an event. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import '../../models/wireAreas.js';
import '../../models/finances/notifications.js';
import '../../models/organizations/notifications.js';
import '../../models/platform/notifications.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { EVENT_TYPES, type EventType } from '../../models/notifications/eventTypes.js';
import { factsSql, recipientsSql } from '../../models/notifications/statements.js';
import { allTypes, type NotificationType } from '../../models/notifications/types.js';
import { asOwner, closeOwner } from '../support/owner.js';

const ROOT = path.resolve(__dirname, '../..');

/** Events without a notification so far. */
const NOT_YET: Partial<Record<EventType, string>> = {
  election_published: 'There are no elections yet.',
  election_results_published: 'There are no elections yet.',
  compliance_item_assigned: 'There are no compliance items yet.',
  compliance_item_due: 'There are no compliance items yet.',
  course_assigned: 'There are no courses yet.',
  recognition_received: 'There is no recognition yet.',
  event_published: 'There are no events yet.',
  event_updated: 'There are no events yet.',
  event_reminder: 'There are no events yet.',
  message_received: 'There are no messages yet.',
};

const sources = ['models', 'services', 'activities', 'api'].flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name)),
);
/** Files that declare types, and the texts of account notices: mentions in them do not count as uses. */
const DECLARES = /(notifications|eventTypes|notices\/texts|accountSecurity)\.ts$/;
const calling = sources
  .filter((file) => !DECLARES.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

const types: [string, NotificationType][] = allTypes().map((type) => [type.name, type]);

afterAll(closeOwner);

/** Body of an SQL function; empty if there is none. */
const sourceOf = async (name: string): Promise<string> => {
  const [found] = await asOwner<{ source: string }>(
    `SELECT prosrc AS source FROM pg_proc WHERE pronamespace = 'app'::regnamespace AND proname = $1`,
    [name],
  );
  return found?.source ?? '';
};

test('a file that declares notifications or audiences contains no SQL', () => {
  const declaring = sources.filter((file) => /\bdefine(Notifications|Audiences)\(/.test(readFileSync(file, 'utf8')));
  expect(declaring.length).toBeGreaterThan(6);
  const sql = declaring.filter((file) => /\b(SELECT|FROM|JOIN|WHERE|UNION|EXISTS)\b/.test(readFileSync(file, 'utf8')));
  expect(sql).toEqual([]);
});

test('every event has a type, or a reason why it has none', () => {
  const notifiedEvents = new Set(types.map(([, { event }]) => event));
  expect(EVENT_TYPES.filter((event) => !notifiedEvents.has(event)).toSorted()).toEqual(Object.keys(NOT_YET).toSorted());
});

describe.each(types)('%s', (name, type) => {
  test(`${name} is complete, within the lengths of the row's columns`, () => {
    expect(name).toMatch(/^[a-z_]{1,100}$/);
    expect(type.subject).toMatch(/^[a-z_]{1,50}$/);
    expect(type.cause).toMatch(/^[a-z_]{1,50}$/);
    expect(type.path).toMatch(/^\/([^/]|$)/);
    expect(type.who).toMatch(/^[A-Z].+[^.]$/);
    for (const [text, longest] of [
      [type.title, 200],
      [type.body, 500],
      [type.action ?? 'none', 50],
    ] as const) {
      expect(text).not.toBe('');
      expect(text.length).toBeLessThanOrEqual(longest);
    }
  });

  test(`${name} uses only placeholders that its facts provide`, async () => {
    const named = [...`${type.title} ${type.body} ${type.path}`.matchAll(/\{(\w+)\}/g)].map(([, fact]) => fact);
    const source = await sourceOf(type.facts);
    const called = await Promise.all(
      [...source.matchAll(/app\.(\w+_facts)\(/g)].map(([, other = '']) => sourceOf(other)),
    );
    const given = named.filter((fact) => fact === 'subject' || [source, ...called].join().includes(`'${fact}',`));
    expect(given).toEqual(named);
  });

  test(`${name} is known to its function of facts, if that distinguishes types`, async () => {
    const source = await sourceOf(type.facts);
    expect(source.includes('p_type') && !source.includes(`'${name}'`)).toBe(false);
  });

  test(`${name} is sent by some operation`, () => {
    expect(calling).toMatch(new RegExp(`(?:told|notifications)\\.${name}\\b|'${name}'`));
  });

  test(`${name} has no facts and no recipients for unknown ids`, async () => {
    const [subject, recipient, organization] = [uuidv7(), uuidv7(), uuidv7()];
    const ids = [subject, recipient, organization];
    const factRows = await asOwner<{ facts: unknown }>(
      `SELECT ${factsSql(type)} AS facts FROM (SELECT $1::uuid AS subject_id, $2::uuid AS recipient_id, $3::uuid AS organization_id,
          '' AS cause) n`,
      ids,
    );
    expect(factRows).toEqual([{ facts: null }]);
    if (type.recipients === null) return;
    const people = await asOwner<{ user_id: string }>(
      `SELECT who.user_id FROM (SELECT $1::uuid AS subject_id, $2::uuid AS organization_id) s CROSS JOIN LATERAL ${recipientsSql(type.recipients)} who`,
      [subject, organization],
    );
    // A notification about an account has the account's id as its subject.
    expect(people).toEqual(type.subject === 'account' ? [{ user_id: subject }] : []);
  });
});
