/** Tests that no one can find out whether an address has an account elsewhere. */
import { AUDIT_LOG } from '../../../support/auditLog.js';
import { Client as PgClient } from 'pg';
import { allRoutes } from '../../../../api/routes.js';
import { inTenant } from '../../../../models/database/tenancy.js';
import { addMember } from '../../../../models/organizations/addMember.js';
import { inviteOrganizationAdmin } from '../../../../models/organizations/admins.js';
import { inviteRegionalAdmin } from '../../../../models/organizations/regionalAdmins.js';
import { asOwner } from '../../../support/owner.js';
import { EMAIL_OID } from '../../../support/samlProvider.js';
import { aSamlWorld, beginSignIn, postResponse, type SamlWorld, signedResponse } from '../../../support/samlWorld.js';
import { countStatements } from '../../../support/statements.js';
import { aMember, aPlatformAdmin, aUser, type Person } from '../../../support/world.js';
import { aNativeClient, givePassword, logIn } from '../../identity/accounts.support.js';
import { inviting } from './invitations.support.js';

const stage = inviting();
let foreign: Person;
let unused: string;

beforeEach(async () => {
  foreign = await aMember(stage.other.organizationId, stage.other.chapterId);
  await asOwner("UPDATE users SET phone_number = '555 0100', first_name = 'Real' WHERE id = $1", [foreign.userId]);
  unused = stage.address();
});

async function openOwner(): Promise<PgClient> {
  const client = new PgClient({ connectionString: process.env['DATABASE_OWNER_URL'] as string });
  await client.connect();
  return client;
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g;
/** Replaces ids, times and the address itself, so that answers can be compared. */
const shapeOf = (value: unknown, email: string): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(UUID, '<id>')
      .replaceAll(TIME, '<time>')
      .replaceAll(email, '<email>')
      .replaceAll(/req_\w+/g, '<request>'),
  );

/** Reads the audit log and the mailbox since a moment, using the time in ids of version 7. */
async function tracesSince(mark: string, email: string) {
  const entries = await asOwner(
    `SELECT action, subject_type, actor_user_id, before, after FROM ${AUDIT_LOG}
      WHERE organization_id = $1 AND id > $2 ORDER BY id`,
    [stage.world.organizationId, mark],
  );
  const mails = await stage.mailbox.to(email);
  return { entries, mails: mails.map(({ subject, text }) => [subject, withoutToken(text)]) };
}

const withoutToken = (text: string): string => text.replaceAll(/token=[\w-]+/g, 'token');

/** Everything that a caller can see after entering an address. */
async function seenOf(email: string, type: (email: string) => Promise<{ status: number; body: unknown }>) {
  const [now] = await asOwner<{ id: string }>('SELECT uuidv7() AS id');
  const { status, body } = await type(email);
  return shapeOf({ status, body, ...(await tracesSince(now?.id ?? '', email)) }, email);
}

const WAYS: [string, (email: string) => Promise<{ status: number; body: unknown }>][] = [
  ['a member', (email) => stage.addMember(email)],
  [
    'a member by an officer',
    (email) => stage.officer.post(`/api/chapters/${stage.world.chapterId}/members/`, stage.typed(email)),
  ],
  ['an admin', (email) => stage.addAdmin(email)],
  [
    'an admin without a name',
    (email) => stage.admin.post(`/api/organizations/${stage.world.organizationId}/admins/`, { email, first_name: 'N' }),
  ],
  ['a regional admin', (email) => stage.addRegionalAdmin(email)],
  [
    'a member who is invited again',
    async (email) => {
      const { body } = await stage.addMember(email);
      if (body.id) await stage.aDayLater();
      return body.id ? stage.officer.post(`/api/memberships/${body.id}/invite/`) : stage.addMember(email);
    },
  ],
];

test.each(WAYS)('an unused address and a foreign account are the same as %s', async (_, type) => {
  const [ofUnused, ofForeign] = [await seenOf(unused, type), await seenOf(foreign.email, type)];
  expect(ofForeign).toEqual(ofUnused);
  expect(JSON.stringify(ofForeign)).toContain('You are invited');
  // Repeat with an address that was entered before.
  const again = [await seenOf(unused, type), await seenOf(foreign.email, type)];
  expect(again[1]).toEqual(again[0]);
  expect(again[0]).toMatchObject({ status: 409, entries: [] });
  // Another letter case or a space makes no different address.
  const upper = ` ${foreign.email.toUpperCase()} `;
  expect(await type(upper)).toMatchObject({
    status: 409,
    body: { code: (again[1] as { body: { code: string } }).body.code },
  });
});

const OPERATIONS: [string, (person: { email: string }) => Promise<unknown>][] = [
  [
    'a member',
    (person) => addMember(stage.world.chapterId, { ...stage.typed(person.email), role: 'member', status: 'undergrad' }),
  ],
  ['an admin', inviteOrganizationAdmin],
  ['a regional admin', (person) => inviteRegionalAdmin({ ...person, region: stage.world.regionId, role: 'advisor' })],
];

test.each(OPERATIONS)(
  'an unused address and a foreign account cost the same statements without waiting, as %s',
  async (_, invite) => {
    const costOf = (email: string) =>
      countStatements(() => inTenant(stage.world.organizationId, () => invite({ email })));
    const expected = await costOf(unused);
    const holder = await openOwner();
    try {
      await holder.query('BEGIN');
      // Locks the foreign account, as a change of it would.
      await holder.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [foreign.userId]);
      expect(await costOf(foreign.email)).toBe(expected);
    } finally {
      await holder.end();
    }
  },
);

test.each(WAYS)(
  'a verified secondary address, a platform admin and a disabled account look like an unused address as %s',
  async (_, type) => {
    const secondary = stage.address();
    await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
      foreign.userId,
      secondary,
    ]);
    const [platform, disabled] = [stage.address(), stage.address()];
    await aUser(platform, { platformAdmin: true });
    await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [await aUser(disabled)]);
    const expected = await seenOf(unused, type);
    for (const email of [secondary, platform, disabled]) expect(await seenOf(email, type)).toEqual(expected);
  },
);

describe('requests that only mention an address', () => {
  let saml: SamlWorld;
  const dryRuns = () => `/api/organizations/${saml.organizationId}/saml-configurations/${saml.configuration.id}/test/`;
  const answerTo = async (email: string) => {
    const asked = await beginSignIn(saml);
    const fields = { nameId: `sub-${email}`, attributes: { [EMAIL_OID]: email } };
    return { asked, response: await signedResponse(saml, asked, fields) };
  };

  beforeAll(async () => {
    saml = await aSamlWorld(stage.api.url, { domains: ['example.org'] });
    await asOwner('UPDATE sso_connections SET auto_provision = true, provision_chapter_id = $2 WHERE id = $1', [
      saml.configuration.id,
      saml.chapterId,
    ]);
  });

  const ASKING: [string, (email: string) => Promise<unknown>][] = [
    [
      'by a sign-in of an organization’s own provider',
      async (email) => {
        const { asked, response } = await answerTo(email);
        const { status, location } = await postResponse(saml, response, asked.relayState);
        const [row] = (await stage.as(saml.admin).get(`/api/organizations/${saml.organizationId}/sso-refusals/`)).body
          .results;
        return { status, location, row };
      },
    ],
    [
      'by a dry run of it',
      async (email) => {
        const { status, body } = await stage
          .as(saml.admin)
          .post(dryRuns(), { saml_response: (await answerTo(email)).response });
        return { status, body };
      },
    ],
    ['by a log-in', (email) => logIn(stage.nobody, { email, password: 'guessed-walnut-comet-19' })],
    ['by a reset', (email) => stage.nobody.post('/api/auth/password/reset/', { email })],
    ['by discovery', (email) => stage.nobody.get(`/api/auth/sso/discover/?email=${encodeURIComponent(email)}`)],
  ];

  test.each(ASKING)('%s cannot tell unused, foreign and invited addresses apart', async (_, ask) => {
    const [invited, both] = [stage.address(), await aMember(stage.other.organizationId, stage.other.chapterId)];
    for (const { email } of [{ email: invited }, both])
      await stage.as(saml.admin).post(`/api/chapters/${saml.chapterId}/members/`, stage.typed(email));
    const results = [];
    for (const email of [unused, foreign.email, invited, both.email]) {
      const [now] = await asOwner<{ id: string }>('SELECT uuidv7() AS id');
      const answer = (await ask(email)) as { status: number; body?: unknown; location?: string; row?: unknown };
      const { status, body, location, row } = answer;
      const entries = await asOwner(
        `SELECT action, before, after FROM ${AUDIT_LOG} WHERE organization_id = $1 AND id > $2 ORDER BY id`,
        [saml.organizationId, now?.id],
      );
      results.push(shapeOf({ status, body, location, row, entries }, email));
    }
    for (const each of results) expect(each).toEqual(results[0]);
  });
});

test('the first admin of a new organization looks the same for unused and foreign addresses', async () => {
  const platform = await aPlatformAdmin();
  const create = async (email: string) => {
    const slug = `s${Math.random().toString(36).slice(2)}`;
    const { status, body } = await stage
      .as(platform)
      .post('/api/platform/organizations/', { name: 'New', slug, admin: stage.typed(email) });
    const inside = stage.as(platform, { 'X-Organization-Id': body.id });
    const admins = (await inside.get(`/api/organizations/${body.id}/admins/`)).body.results;
    const mails = (await stage.mailbox.to(email)).map(({ text }) => withoutToken(text));
    return shapeOf(JSON.parse(JSON.stringify({ status, body, admins, mails }).replaceAll(slug, '<slug>')), email);
  };
  const [ofUnused, ofForeign] = [await create(unused), await create(foreign.email)];
  expect(ofForeign).toEqual(ofUnused);
  expect(ofUnused).toMatchObject({
    admins: [{ is_active: false, first_name: 'Typed', invitation: { state: 'open' } }],
  });
});

test('a reset is answered alike for every address, and mails only people who may sign in', async () => {
  await stage.addMember(unused);
  const stranger = stage.address();
  const ask = (email: string) => stage.nobody.post('/api/auth/password/reset/', { email });
  const answers = [];
  for (const email of [unused, foreign.email, stranger]) answers.push((await ask(email)).status);
  expect(new Set(answers)).toEqual(new Set([204]));
  const subjects = async (email: string) => (await stage.mailbox.to(email)).map(({ subject }) => subject);
  expect(await subjects(unused)).toContain('Set a new password');
  expect(await subjects(foreign.email)).toEqual(['Set a new password']);
  expect(await subjects(stranger)).toEqual([]);
});

test('roster, search, invoices, preview and audit log show the entered data until the person accepts', async () => {
  const { body: member } = await stage.addMember(foreign.email, { first_name: 'Zzyzx' });
  expect(member).toMatchObject({ first_name: 'Zzyzx', last_name: 'Name', email: foreign.email, phone_number: null });
  expect(member.user).not.toBe(foreign.userId);
  const rows = [
    (await stage.admin.get(`/api/chapters/${stage.world.chapterId}/members/?search=zzyzx`)).body.results[0],
    (await stage.officer.get(`/api/chapters/${stage.world.chapterId}/members/?search=${foreign.email}`)).body
      .results[0],
    (await stage.admin.get(`/api/memberships/${member.id}/`)).body,
    (await stage.admin.get(`/api/organizations/${stage.world.organizationId}/member-search/?q=zzyz`)).body[0],
    (await stage.admin.get(`/api/organizations/${stage.world.organizationId}/member-search/?q=${foreign.email}`))
      .body[0],
  ];
  for (const row of rows) expect(row).toMatchObject({ user: member.user, first_name: 'Zzyzx', email: foreign.email });
  const everything = JSON.stringify(rows);
  expect(everything).not.toContain('Real');
  expect(everything).not.toContain('555 0100');
  const found = await stage.as(await aPlatformAdmin()).get(`/api/platform/users/?q=${encodeURIComponent('zzyzx')}`);
  expect(found.body.results).toEqual([]);
});

test("an invitation leaves the foreign account and its organization's rights unchanged", async () => {
  await givePassword(foreign.userId);
  const { client } = await aNativeClient(stage.api.url, foreign.email);
  await asOwner('UPDATE users SET password_given_in = $2, password_given_at = now() WHERE id = $1', [
    foreign.userId,
    stage.other.organizationId,
  ]);
  const state = () =>
    asOwner(
      `SELECT to_jsonb(u) AS account, (SELECT jsonb_agg(a ORDER BY a.kind) FROM affiliations a WHERE a.user_id = u.id) AS stands
         FROM users u WHERE id = $1`,
      [foreign.userId],
    );
  const before = await state();
  await stage.addMember(foreign.email);
  await stage.addAdmin(foreign.email);
  await stage.addRegionalAdmin(foreign.email);
  expect(await state()).toEqual(before);
  expect((await client.get('/api/auth/me/')).status).toBe(200);
  const theirs = stage.as(stage.other.admin);
  const own = `/api/organizations/${stage.other.organizationId}/users/${foreign.userId}`;
  expect(
    (await theirs.post('/api/auth/impersonate/', { membership: foreign.membershipId, reason: 'Help' })).status,
  ).toBe(200);
  expect((await theirs.post(`${own}/temporary-password/`)).status).toBe(200);
});

test('the organization cannot act on the account of an invited person', async () => {
  const { body: member } = await stage.addMember(foreign.email);
  const person = `/api/organizations/${stage.world.organizationId}/users/${member.user}`;
  // All routes about one person of an organization, so that no later one is missed.
  const about = allRoutes.filter(({ path }) => path.includes('/users/:user_id'));
  const actions = about.map(({ method, path }) => [
    method,
    path.replace(/.*\/users\/:user_id/, person).replaceAll(/:\w+/g, member.user),
  ]);
  expect(actions.map(([, path]) => path)).toContain(`${person}/temporary-password/`);
  expect(actions.length).toBeGreaterThan(4);
  for (const [method, path] of actions as ['get' | 'post' | 'delete', string][]) {
    const { status, body } = await stage.admin[method](path);
    expect([method, path, status, body.code]).toEqual([method, path, 409, 'invitation_open']);
  }
  const impersonated = await stage.admin.post('/api/auth/impersonate/', { membership: member.id, reason: 'Help' });
  expect([impersonated.status, impersonated.body.code]).toEqual([409, 'invitation_open']);
  const account = `/api/organizations/${stage.world.organizationId}/users/${foreign.userId}`;
  expect((await stage.admin.post(`${account}/temporary-password/`)).status).toBe(404);
  const platform = stage.as(await aPlatformAdmin());
  expect((await platform.post(`/api/platform/users/${member.user}/enable/`)).status).toBe(404);
  expect((await platform.post(`/api/platform/users/${member.user}/disable/`)).status).toBe(404);
  expect((await platform.post('/api/platform/admins/', { user: member.user })).status).toBe(400);
});
