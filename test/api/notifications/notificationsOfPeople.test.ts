/** Tests the notifications about memberships, offices and accounts: one row each, and never two mails. */
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { claimDeliveries } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aUser, type Person, signIn } from '../../support/world.js';
import { aNativeClient, forgetAttempts, givePassword, PASSWORD } from '../identity/accounts.support.js';
import { start } from '../identity/impersonation.support.js';

const stage = apiWorld();
let person: Person;
beforeEach(forgetAttempts);
beforeEach(async () => void (person = await aMember(stage.world.organizationId, stage.world.chapterId)));

interface StoredNotification {
  type: string;
  event: string;
  title: string;
  body: string;
  unlisted: string | null;
}
const notificationsOf = (userId = person.userId) =>
  asOwner<StoredNotification>(
    `SELECT notification_type AS type, event_type AS event, title, body, unlisted_reason AS unlisted
       FROM notifications WHERE recipient_id = $1 ORDER BY id`,
    [userId],
  );
/** Claims all due deliveries. @returns the outcomes of this person's mails */
async function mails(userId = person.userId): Promise<(string | null)[]> {
  await inTenant(stage.world.organizationId, () => claimDeliveries('email', 1_000));
  const found = await asOwner<{ reason: string | null }>(
    `SELECT reason FROM notification_deliveries WHERE recipient_id = $1 AND channel = 'email' ORDER BY notification_id`,
    [userId],
  );
  return found.map(({ reason }) => reason);
}
const notices = (userId = person.userId) => asOwner('SELECT kind FROM account_notices WHERE user_id = $1', [userId]);

describe('notifications about a membership', () => {
  const edit = (client: Client, body: object) => client.patch(`/api/memberships/${person.membershipId}/`, body);

  test('a change of status or role notifies the member, and other changes do not', async () => {
    expect((await edit(stage.admin, { role: 'officer', status: 'associate' })).status).toBe(200);
    expect((await edit(stage.admin, { pledge_class: 'Alpha' })).status).toBe(200);
    expect(await notificationsOf()).toEqual([
      {
        type: 'membership_changed',
        event: 'membership_changed',
        title: 'Your membership in Alpha was changed',
        body: 'Your status there is now: associate. Your role: officer.',
        unlisted: null,
      },
    ]);
    expect((await edit(stage.admin, { role: 'member' })).status).toBe(200);
    expect(await notificationsOf()).toHaveLength(2);
    expect(await mails()).toEqual([null, null]);
  });

  test('the end of a membership notifies a person who has no access any more', async () => {
    await edit(stage.admin, { status: 'inactive' });
    expect(await notificationsOf()).toMatchObject([{ type: 'membership_changed', unlisted: null }]);
    expect(await mails()).toEqual([null]);
  });

  test('a known person added to a chapter is notified once and mailed as an account notice', async () => {
    const path = `/api/chapters/${stage.world.otherChapterId}/members/`;
    const body = { email: person.email, first_name: 'A', last_name: 'B', role: 'member', status: 'undergrad' };
    expect((await stage.admin.post(path, body)).status).toBe(201);
    expect(await notificationsOf()).toMatchObject([{ type: 'membership_added', title: 'You were added to Beta' }]);
    expect(await mails()).toEqual(['by_account_notice']);
    expect(await notices()).toEqual([{ kind: 'membership_added' }]);
  });

  test('an invited person gets no notification besides the invitation', async () => {
    const path = `/api/chapters/${stage.world.chapterId}/members/`;
    const body = { email: 'invited@example.org', first_name: 'A', last_name: 'B', role: 'member', status: 'undergrad' };
    const { id, user } = (await stage.admin.post(path, body)).body;
    expect((await stage.admin.patch(`/api/memberships/${id}/`, { role: 'officer' })).status).toBe(200);
    expect(await notificationsOf(user)).toEqual([]);
  });
});

describe('notifications about an office', () => {
  test.each([
    [
      'of the organization',
      () => `/api/organizations/${stage.world.organizationId}/admins/`,
      () => ({}),
      /^Organization /,
    ],
    [
      'of a region',
      () => `/api/organizations/${stage.world.organizationId}/regional-admins/`,
      () => ({ region: stage.world.regionId, role: 'coordinator' }),
      /^the region North as coordinator/,
    ],
  ])('an office %s notifies its holder when it is given, ended and given again', async (_of, path, more, place) => {
    const named = { email: person.email, first_name: 'A', last_name: 'B', ...more() };
    const { status, body } = await stage.admin.post(path(), named);
    expect(status).toBe(201);
    for (const is_active of [false, true])
      expect((await stage.admin.patch(`${path()}${body.id}/`, { is_active })).status).toBe(200);
    const rows = await notificationsOf();
    expect(rows.map(({ type }) => type)).toEqual(['office_given', 'office_ended', 'office_changed']);
    expect(rows[0]?.body.replace('You now administer ', '')).toMatch(place);
    expect(rows[1]?.body).toMatch(/^You no longer administer .*\.$/);
    // A notification that is no longer true is not mailed.
    expect(await mails()).toEqual(['by_account_notice', 'withdrawn', null]);
  });

  test('the removal of an office notifies its former holder', async () => {
    const path = `/api/organizations/${stage.world.organizationId}/admins/`;
    const { id } = (await stage.admin.post(path, { email: person.email, first_name: 'A', last_name: 'B' })).body;
    expect((await stage.admin.delete(`${path}${id}/`)).status).toBe(204);
    expect((await notificationsOf()).at(-1)).toMatchObject({ type: 'office_ended', unlisted: null });
    expect((await mails()).at(-1)).toBeNull();
  });
});

describe('notifications about an account', () => {
  const security = (type: string) =>
    expect.objectContaining({ type, event: 'account_security', unlisted: null }) as StoredNotification;

  test('an account notice also appears once in the bell, for any number of addresses', async () => {
    await givePassword(person.userId);
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true), ($1, $3, true)', [
      person.userId,
      person.email,
      `second-${person.email}`,
    ]);
    const { client } = await aNativeClient(stage.api.url, person.email);
    const change = { current_password: PASSWORD, new_password: 'walnut-comet-drizzle-19' };
    const { body } = await client.post('/api/auth/password/change/', change);
    client.token = body.access_token;
    await client.post('/api/auth/me/deletion/');
    await client.delete('/api/auth/me/deletion/');
    const [address] = (await client.get('/api/auth/emails/')).body.results.filter(({ email }: { email: string }) =>
      email.startsWith('second'),
    );
    await client.delete(`/api/auth/emails/${address.id}/`);
    const rows = await notificationsOf();
    expect(rows.filter(({ type }) => type !== 'new_device')).toEqual([
      security('password_changed'),
      security('account_deletion_requested'),
      security('account_deletion_cancelled'),
      security('email_removed'),
    ]);
    expect(new Set(await mails())).toEqual(new Set(['by_account_notice']));
  });

  test('a sign-in with a new device appears in the bell', async () => {
    await givePassword(person.userId);
    for (const agent of ['one', 'other']) {
      const phone = new Client(stage.api.url, { headers: { 'X-Client': 'native', 'User-Agent': agent } });
      await phone.post('/api/auth/login/', { email: person.email, password: PASSWORD });
    }
    const known = (await notices()).length;
    expect(known).toBeGreaterThan(0);
    expect((await notificationsOf()).map(({ type }) => type)).toEqual(
      Array.from({ length: known }, () => 'new_device'),
    );
  });

  test('an impersonation appears in the bell', async () => {
    const admin = new Client(stage.api.url, {
      token: await signIn(stage.world.admin.userId, stage.world.organizationId),
    });
    expect((await start(admin, person.membershipId)).status).toBe(200);
    expect(await notificationsOf()).toEqual([security('impersonated')]);
  });

  test('a person without an organization is notified by mail only', async () => {
    const alone = await aUser();
    await stage.as({ token: await signIn(alone, null) }).post('/api/auth/me/deletion/');
    expect(await notices(alone)).toEqual([{ kind: 'account_deletion_requested' }]);
    expect(await notificationsOf(alone)).toEqual([]);
  });
});
