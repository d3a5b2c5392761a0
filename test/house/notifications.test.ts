/** What people can be told: every type says all of it, is called by something, and has a place under an event. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import '../../models/wireAreas.js';
import '../../models/finances/notifications.js';
import '../../models/organizations/notifications.js';
import '../../models/platform/notifications.js';
import { uuidv7 } from '../../models/database/uuid.js';
import { EVENT_TYPES, type EventType } from '../../models/notifications/eventTypes.js';
import { allTypes, type NotificationType } from '../../models/notifications/types.js';
import { asOwner, closeOwner } from '../support/owner.js';

const ROOT = path.resolve(__dirname, '../..');

/** Events that nothing tells of yet. */
const NOT_YET: Partial<Record<EventType, string>> = {
  reply_to_post: 'There are no forums yet.',
  new_post: 'There are no forums yet.',
  mention: 'There are no forums yet.',
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

const sources = ['models', 'activities', 'api'].flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name)),
);
/** Where types are declared, and where the words of account notices are: what stands there calls nothing. */
const DECLARES = /(notifications|eventTypes|notices\/texts|accountSecurity)\.ts$/;
const calling = sources
  .filter((file) => !DECLARES.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

const types: [string, NotificationType][] = allTypes().map((type) => [type.name, type]);

afterAll(closeOwner);

test('every event has a type, or a reason why nothing tells of it', () => {
  const told = new Set(types.map(([, { event }]) => event));
  expect(EVENT_TYPES.filter((event) => !told.has(event)).toSorted()).toEqual(Object.keys(NOT_YET).toSorted());
});

describe.each(types)('%s', (name, type) => {
  test('says all of itself, in the lengths that a row has', () => {
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
    expect(type.facts.length).toBeGreaterThan(0);
  });

  test('names nothing that its facts do not give', () => {
    const named = [...`${type.title} ${type.body} ${type.path}`.matchAll(/\{(\w+)\}/g)].map(([, fact]) => fact);
    const given = named.filter((fact) => fact === 'subject' || type.facts.includes(`'${fact}',`));
    expect(given).toEqual(named);
  });

  test('is told by something', () => {
    expect(calling).toMatch(new RegExp(`(?:told|notifications)\\.${name}\\b|'${name}'`));
  });

  test('has nothing to say to a stranger, nor of what is not there', async () => {
    const [subject, recipient, organization] = [uuidv7(), uuidv7(), uuidv7()];
    const ids = [subject, recipient, organization];
    const asked = await asOwner<{ facts: unknown }>(
      `SELECT (${type.facts}) AS facts FROM (SELECT $1::uuid AS subject_id, $2::uuid AS recipient_id, $3::uuid AS organization_id,
          NULL::uuid AS actor_id) n`,
      ids,
    );
    expect(asked).toEqual([{ facts: null }]);
    if (type.recipients === null) return;
    const people = await asOwner<{ user_id: string }>(
      `SELECT who.user_id FROM (SELECT $1::uuid AS subject_id, $2::uuid AS organization_id) s CROSS JOIN LATERAL (${type.recipients}) who`,
      [subject, organization],
    );
    // An account is told of by its own id.
    expect(people).toEqual(type.subject === 'account' ? [{ user_id: subject }] : []);
  });
});
