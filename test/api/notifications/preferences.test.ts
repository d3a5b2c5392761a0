import { EVENT_TYPES } from '../../../models/notifications/eventTypes.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { during } from '../../support/during.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
const PATH = '/api/notifications/preferences/';

interface Preference {
  event_type: string;
  category: string;
  in_app_enabled: boolean;
  email_enabled: boolean;
  push_enabled: boolean;
  chosen: Record<'in_app_enabled' | 'email_enabled' | 'push_enabled', boolean | null>;
  locked: boolean;
}

let person: Person;
beforeEach(async () => void (person = await aMember(stage.world.organizationId, stage.world.chapterId)));

const me = () => stage.as(person);
const all = async () => (await me().get<{ results: Preference[] }>(PATH)).body.results;
const of = async (event: string) => (await all()).find(({ event_type }) => event_type === event);

test('all event types are listed and on by default, except push for frequent posts and events', async () => {
  const { body } = await me().get(PATH);
  expect(body).toMatchObject({ count: 23, next: null, previous: null });
  const list = await all();
  expect(list.map(({ event_type }) => event_type)).toEqual(EVENT_TYPES);
  expect(list.filter(({ in_app_enabled, email_enabled }) => !in_app_enabled || !email_enabled)).toEqual([]);
  expect(list.filter(({ push_enabled }) => !push_enabled).map(({ event_type }) => event_type)).toEqual([
    'new_post',
    'event_published',
  ]);
  expect(list.filter(({ locked }) => locked).map(({ event_type }) => event_type)).toEqual(['account_security']);
  expect(await countStatements(() => me().get(PATH))).toBe(3);
});

test('a preference is changed, and omitted channels stay', async () => {
  const { status } = await me().post(PATH, { event_type: 'mention', email_enabled: false });
  expect(status).toBe(200);
  await me().post(PATH, { event_type: 'mention', push_enabled: false });
  expect(await of('mention')).toMatchObject({ in_app_enabled: true, email_enabled: false, push_enabled: false });
});

test('several preferences are changed together, all or none', async () => {
  const refused = await me().post(PATH, {
    preferences: [
      { event_type: 'mention', in_app_enabled: false },
      { event_type: 'account_security', email_enabled: false },
    ],
  });
  expect(refused).toMatchObject({ status: 400, body: { code: 'preference_locked' } });
  expect(await of('mention')).toMatchObject({ in_app_enabled: true });
  const { body } = await me().post<{ results: Preference[] }>(PATH, {
    preferences: [
      { event_type: 'mention', in_app_enabled: false },
      { event_type: 'account_security', push_enabled: false },
    ],
  });
  expect(body.results.filter(({ push_enabled }) => !push_enabled).map(({ event_type }) => event_type)).toEqual([
    'new_post',
    'event_published',
    'account_security',
  ]);
});

test("the organization's own defaults apply to people without a choice", async () => {
  await me().post(PATH, { event_type: 'reply_to_post', push_enabled: true });
  await asOwner(
    `INSERT INTO notification_defaults (organization_id, event_type, in_app_enabled, email_enabled, push_enabled)
     SELECT $1, event, true, false, false FROM unnest(ARRAY['reply_to_post', 'mention']) event`,
    [stage.world.organizationId],
  );
  expect(await of('mention')).toMatchObject({ email_enabled: false, push_enabled: false });
  expect(await of('reply_to_post')).toMatchObject({ email_enabled: false, push_enabled: true });
});

const NOTHING_CHOSEN = { in_app_enabled: null, email_enabled: null, push_enabled: null };

/** Sets the organization's defaults of one event type. */
const setDefaults = (event: string, inApp: boolean, email: boolean, push: boolean) =>
  asOwner(
    `INSERT INTO notification_defaults (organization_id, event_type, in_app_enabled, email_enabled, push_enabled)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id, event_type) DO UPDATE SET
       in_app_enabled = excluded.in_app_enabled, email_enabled = excluded.email_enabled, push_enabled = excluded.push_enabled`,
    [stage.world.organizationId, event, inApp, email, push],
  );

test('a channel without a choice follows the default, also when the default changes later', async () => {
  await me().post(PATH, { event_type: 'course_assigned', push_enabled: false });
  expect(await of('course_assigned')).toMatchObject({
    in_app_enabled: true,
    email_enabled: true,
    push_enabled: false,
    chosen: { ...NOTHING_CHOSEN, push_enabled: false },
  });
  await setDefaults('course_assigned', false, false, true);
  expect(await of('course_assigned')).toMatchObject({
    in_app_enabled: false,
    email_enabled: false,
    push_enabled: false,
    chosen: { ...NOTHING_CHOSEN, push_enabled: false },
  });
});

test('null resets a channel to the default and leaves the other choices', async () => {
  await setDefaults('event_reminder', true, false, true);
  await me().post(PATH, { event_type: 'event_reminder', email_enabled: true, push_enabled: false });
  const { status } = await me().post(PATH, { event_type: 'event_reminder', email_enabled: null });
  expect(status).toBe(200);
  expect(await of('event_reminder')).toMatchObject({
    in_app_enabled: true,
    email_enabled: false,
    push_enabled: false,
    chosen: { ...NOTHING_CHOSEN, push_enabled: false },
  });
});

test('account security stays on in the app and by mail, also after a reset to the default', async () => {
  const { status } = await me().post(PATH, {
    event_type: 'account_security',
    email_enabled: null,
    push_enabled: false,
  });
  expect(status).toBe(200);
  expect(await of('account_security')).toMatchObject({
    in_app_enabled: true,
    email_enabled: true,
    push_enabled: false,
    chosen: { ...NOTHING_CHOSEN, push_enabled: false },
  });
});

test.each([
  [{}, 'preferences'],
  [
    { event_type: 'mention', email_enabled: true, preferences: [{ event_type: 'mention', email_enabled: true }] },
    'preferences',
  ],
  [{ event_type: 'mention' }, 'in_app_enabled'],
  [
    { preferences: [{ event_type: 'mention', email_enabled: true }, { event_type: 'reply_to_post' }] },
    'preferences.1.in_app_enabled',
  ],
  [{ event_type: 'sneeze', push_enabled: true }, 'event_type'],
  [{ push_enabled: true }, 'event_type'],
  [{ event_type: 'mention', push_enabled: 'yes' }, 'push_enabled'],
  [{ event_type: 'mention', push_enabled: true, sms_enabled: true }, 'sms_enabled'],
  [
    {
      preferences: [
        { event_type: 'mention', email_enabled: true },
        { event_type: 'mention', push_enabled: true },
      ],
    },
    'preferences',
  ],
])('the body %j is refused', async (body, field) => {
  const refused = await me().post<{ errors: object }>(PATH, body);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
});

test('a change of one channel keeps a concurrent change of another', async () => {
  await me().post(PATH, { event_type: 'recognition_received', in_app_enabled: true });
  const [answer] = await during(
    `UPDATE notification_preferences SET email_enabled = false WHERE user_id = $1`,
    [person.userId],
    [() => me().post(PATH, { event_type: 'recognition_received', push_enabled: false })],
  );
  expect(answer?.status).toBe(200);
  expect(await of('recognition_received')).toMatchObject({
    in_app_enabled: true,
    email_enabled: false,
    push_enabled: false,
  });
});

test('two concurrent choices keep one row', async () => {
  const answers = await Promise.all(
    [true, false, true, false].map((on) => me().post(PATH, { event_type: 'mention', push_enabled: on })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});
