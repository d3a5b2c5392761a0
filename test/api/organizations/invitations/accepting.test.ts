/** Tests the answers to an invitation: accepted or declined, once. */
import { AUDIT_LOG } from '../../../support/auditLog.js';
import { rows } from '../../../../models/database/rows.js';
import { inTenant } from '../../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../../models/identity/deletion/eraseInOrganization.js';
import { REPLACED_COLUMNS, UNCHANGED_COLUMNS } from '../../../../models/organizations/invitations/placeholders.js';
import { asOwner } from '../../../support/owner.js';
import { aMember, anInvoice, aUser, aVerifiedDomain, signIn } from '../../../support/world.js';
import { aNativeClient, givePassword, logIn, PASSWORD } from '../../identity/accounts.support.js';
import { inviting, NEW_PASSWORD } from './invitations.support.js';

const stage = inviting();
const tokenFor = (email: string) => stage.mailbox.tokenFor(email);
const accountOf = async (email: string) =>
  (await asOwner<{ id: string; password_hash: string | null }>('SELECT * FROM users WHERE email = $1', [email]))[0];
const aForeigner = async () => {
  const person = await aMember(stage.other.organizationId, stage.other.chapterId);
  await givePassword(person.userId);
  return person;
};

test('an invited person without an account chooses a password and is a member under the new account', async () => {
  const email = stage.address();
  const { body: waiting } = await stage.addMember(email);
  const token = await tokenFor(email);
  expect((await logIn(stage.native, { email })).status).toBe(401);
  const accepted = await stage.accept(token, NEW_PASSWORD);
  expect(accepted).toMatchObject({ status: 200, body: { organization: { id: stage.world.organizationId } } });
  const { body } = await logIn(stage.native, { email, password: NEW_PASSWORD });
  expect(body).toMatchObject({
    user: { email, first_name: 'Typed' },
    organization: { id: stage.world.organizationId },
  });
  const now = (await stage.admin.get(`/api/memberships/${waiting.id}/`)).body;
  expect(now).toMatchObject({ user: body.user.id, invitation: null, status: 'undergrad' });
  expect((await stage.accept(token, NEW_PASSWORD)).body.code).toBe('invitation_invalid');
  expect((await stage.mailbox.to(email)).map(({ subject }) => subject)).toContain('You joined an organization');
});

test('an erasure also removes audit values from the time of the placeholder', async () => {
  const email = stage.address();
  const { body: waiting } = await stage.addMember(email, { pledge_class: 'Kept for them' });
  await stage.accept(await tokenFor(email), NEW_PASSWORD);
  const account = await accountOf(email);
  const auditedUsers = () =>
    asOwner(`SELECT DISTINCT user_id FROM audit_values WHERE after ->> 'pledge_class' = 'Kept for them'`);
  expect(await auditedUsers()).toEqual([{ user_id: account?.id }]);
  await inTenant(stage.world.organizationId, () => eraseInOrganization(account?.id as string));
  expect(await auditedUsers()).toEqual([]);
  const declined = stage.address();
  const { body: refused } = await stage.addMember(declined, { pledge_class: 'Kept for them' });
  expect((await auditedUsers()).length).toBe(1);
  await stage.decline(await tokenFor(declined));
  expect(await auditedUsers()).toEqual([]);
  const [entry] = await asOwner(`SELECT after FROM audit_log WHERE subject_id = $1 AND action = 'membership.created'`, [
    refused.id,
  ]);
  expect(entry).toMatchObject({ after: { pledge_class: null, chapter_id: stage.world.chapterId } });
  expect(waiting.id).toBeTruthy();
});

test('an account without a password needs one, and a weak password does not use up the token', async () => {
  const email = stage.address();
  await stage.addMember(email);
  const token = await tokenFor(email);
  for (const password of [undefined, 'password', `${email}1`]) {
    const { status, body } = await stage.accept(token, password);
    expect([status, Object.keys(body.errors)]).toEqual([400, ['password']]);
  }
  expect((await stage.accept(token, NEW_PASSWORD)).status).toBe(200);
});

test('an existing account joins without a password and keeps its own names', async () => {
  const person = await aForeigner();
  const { body: waiting } = await stage.addMember(person.email);
  const token = await tokenFor(person.email);
  const refused = await stage.accept(token, NEW_PASSWORD);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['password']]);
  expect((await stage.accept(token)).status).toBe(200);
  expect((await stage.admin.get(`/api/memberships/${waiting.id}/`)).body).toMatchObject({
    user: person.userId,
    first_name: 'First',
    invitation: null,
  });
  expect((await logIn(stage.native, { email: person.email, password: PASSWORD })).status).toBe(200);
  const { client } = await aNativeClient(stage.api.url, person.email);
  expect((await client.get('/api/auth/me/organizations/')).body.count).toBe(2);
});

test('an account without a password may choose one on acceptance', async () => {
  const [one, two] = [stage.address(), stage.address()];
  for (const email of [one, two]) {
    await aUser(email);
    await stage.addMember(email);
  }
  expect((await stage.accept(await tokenFor(one), NEW_PASSWORD)).status).toBe(200);
  expect((await logIn(stage.native, { email: one, password: NEW_PASSWORD })).status).toBe(200);
  expect((await stage.accept(await tokenFor(two))).status).toBe(200);
  expect((await accountOf(two))?.password_hash).toBeNull();
});

test('a verified secondary address joins its account, and an unverified one does not', async () => {
  const [mine, claimed] = [stage.address(), stage.address()];
  const { userId } = await aForeigner();
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true), ($1, $3, false)', [
    userId,
    mine,
    claimed,
  ]);
  const members = [(await stage.addMember(mine)).body.id, (await stage.addMember(claimed)).body.id];
  await stage.accept(await tokenFor(mine));
  await stage.accept(await tokenFor(claimed), NEW_PASSWORD);
  const users = [];
  for (const id of members) users.push((await stage.admin.get(`/api/memberships/${id}/`)).body.user);
  expect(users[0]).toBe(userId);
  expect(users[1]).toBe((await accountOf(claimed))?.id);
});

test('a disabled account cannot accept, and the link stays valid until it is enabled', async () => {
  const person = await aForeigner();
  await stage.addMember(person.email);
  const token = await tokenFor(person.email);
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
  expect((await stage.accept(token)).body.code).toBe('account_disabled');
  await asOwner('UPDATE users SET disabled_at = NULL WHERE id = $1', [person.userId]);
  expect((await stage.accept(token)).status).toBe(200);
});

test('an office begins only with its acceptance', async () => {
  const person = await aForeigner();
  const admins = `/api/organizations/${stage.world.organizationId}/admins/`;
  const { body } = await stage.addAdmin(person.email);
  expect(body).toMatchObject({ is_active: false, invitation: { state: 'open' } });
  const forced = await stage.admin.patch(`${admins}${body.id}/`, { is_active: true });
  expect([forced.status, forced.body.code]).toEqual([409, 'invitation_open']);
  const regional = (await stage.addRegionalAdmin(person.email)).body;
  const forcedThere = await stage.admin.patch(
    `/api/organizations/${stage.world.organizationId}/regional-admins/${regional.id}/`,
    { is_active: true },
  );
  expect(forcedThere.body.code).toBe('invitation_open');
  expect((await stage.accept(await tokenFor(person.email))).status).toBe(200);
  const client = stage.as({ token: await signIn(person.userId, stage.world.organizationId) });
  expect((await client.get('/api/auth/me/')).body).toMatchObject({
    is_organization_admin: true,
    regions: [{ id: stage.world.regionId }],
  });
});

test('an invited admin does not count as the last active one', async () => {
  const { admin, organizationId } = stage.world;
  await stage.addAdmin(stage.address());
  const [own] = await asOwner<{ id: string }>('SELECT id FROM organization_admins WHERE user_id = $1', [admin.userId]);
  const others = await asOwner<{ id: string }>(
    'SELECT id FROM organization_admins WHERE organization_id = $1 AND is_active AND user_id <> $2',
    [organizationId, admin.userId],
  );
  for (const { id } of others) await asOwner('UPDATE organization_admins SET is_active = false WHERE id = $1', [id]);
  const path = `/api/organizations/${organizationId}/admins/${own?.id}/`;
  expect((await stage.admin.patch(path, { is_active: false })).body.code).toBe('last_admin');
  expect((await stage.as(admin).post('/api/auth/me/deletion/')).body.code).toBe('last_admin');
});

test('one address is one person here, whose acceptance covers all invitations', async () => {
  const email = stage.address();
  const first = (await stage.addMember(email)).body;
  const second = (await stage.addMember(email, {}, stage.world.otherChapterId)).body;
  const office = (await stage.addAdmin(email)).body;
  expect(new Set([first.user, second.user, office.user]).size).toBe(1);
  await stage.accept(await tokenFor(email), NEW_PASSWORD);
  const id = (await accountOf(email))?.id as string;
  for (const row of [first, second]) {
    expect((await stage.admin.get(`/api/memberships/${row.id}/`)).body).toMatchObject({ user: id, invitation: null });
  }
  const [placeholder] = await asOwner('SELECT typed_email, first_name, last_name FROM users WHERE id = $1', [
    first.user,
  ]);
  expect(placeholder).toEqual({ typed_email: null, first_name: 'Invitation', last_name: 'closed' });
  expect(await asOwner('SELECT FROM account_notices WHERE user_id = $1', [first.user])).toEqual([]);
});

test('an expired invitation to an office is not accepted by another invitation', async () => {
  const email = stage.address();
  const office = (await stage.addAdmin(email)).body;
  await stage.expire(office.user);
  await stage.aDayLater();
  await stage.addMember(email);
  await stage.accept(await tokenFor(email), NEW_PASSWORD);
  const admins = (await stage.admin.get(`/api/organizations/${stage.world.organizationId}/admins/?page_size=100`)).body;
  const row = admins.results.find(({ id }: { id: string }) => id === office.id);
  expect(row).toMatchObject({ is_active: false, user: (await accountOf(email))?.id, invitation: null });
});

test("invoices stay with the membership and show the account's name after acceptance", async () => {
  const person = await aForeigner();
  const member = (await stage.addMember(person.email)).body;
  const invoice = await anInvoice(stage.world, { chapterId: stage.world.chapterId, membershipId: member.id });
  const payer = async () => (await stage.admin.get(`/api/invoices/${invoice}/`)).body.payer_name;
  expect(await payer()).toBe('Typed Name');
  await stage.accept(await tokenFor(person.email));
  expect(await payer()).toMatch(/^First /);
  const client = stage.as({ token: await signIn(person.userId, stage.world.organizationId) });
  expect((await client.get('/api/billing/me/invoices/')).body.count).toBe(1);
});

test("notifications and pending mail from before the account become the person's", async () => {
  const person = await aForeigner();
  const member = (await stage.addMember(person.email)).body;
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type,
        subject_id, needs_access)
     VALUES ($1, $2, 'x', 'invoice_overdue', 'invoice_overdue', 'Overdue', 'invoice', $2, false)`,
    [stage.world.organizationId, member.user],
  );
  await stage.accept(await tokenFor(person.email));
  for (const table of ['notifications', 'notification_deliveries'])
    expect(
      await asOwner(`SELECT recipient_id FROM ${table} WHERE recipient_id IN ($1, $2)`, [member.user, person.userId]),
    ).toEqual([{ recipient_id: person.userId }]);
});

test('a second membership in one chapter cannot be accepted, and its invoice stays', async () => {
  const [first, second] = [stage.address(), stage.address()];
  const { userId } = await aForeigner();
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true), ($1, $3, true)', [
    userId,
    first,
    second,
  ]);
  const members = [(await stage.addMember(first)).body, (await stage.addMember(second)).body];
  await anInvoice(stage.world, { chapterId: stage.world.chapterId, membershipId: members[1].id });
  expect((await stage.accept(await tokenFor(first))).status).toBe(200);
  const refused = await stage.accept(await tokenFor(second));
  expect([refused.status, refused.body.code]).toEqual([409, 'membership_exists']);
  expect((await stage.decline(await tokenFor(second))).status).toBe(204);
  const remaining = (await stage.admin.get(`/api/memberships/${members[1].id}/`)).body;
  expect(remaining).toMatchObject({
    status: 'inactive',
    first_name: 'Typed',
    email: null,
    invitation: { state: 'declined' },
  });
});

test('a person who declines becomes inactive or is deleted, and is erased except for the ledger', async () => {
  const [email, billed] = [stage.address(), stage.address()];
  const member = (await stage.addMember(email)).body;
  const debtor = (await stage.addMember(billed)).body;
  await anInvoice(stage.world, { chapterId: stage.world.chapterId, membershipId: debtor.id });
  const token = await tokenFor(email);
  expect((await stage.decline(token)).status).toBe(204);
  await stage.decline(await tokenFor(billed));
  expect((await stage.accept(token, NEW_PASSWORD)).body.code).toBe('invitation_invalid');
  const read = async (id: string) => (await stage.admin.get(`/api/memberships/${id}/`)).body;
  expect(await read(member.id)).toMatchObject({ status: 'inactive', email: null, first_name: 'Invitation' });
  expect(await read(debtor.id)).toMatchObject({ status: 'inactive', email: null, first_name: 'Typed' });
  for (const { id } of [member, debtor]) {
    const back = await stage.admin.patch(`/api/memberships/${id}/`, { status: 'undergrad' });
    expect([back.status, back.body.code]).toEqual([409, 'person_gone']);
  }
  const remaining = await asOwner(
    `SELECT 1 FROM users WHERE typed_email = ANY ($1) OR email = ANY ($1)
     UNION ALL SELECT 1 FROM account_notices WHERE email = ANY ($1)
     UNION ALL SELECT 1 FROM ${AUDIT_LOG} WHERE after::text LIKE ANY ($2)`,
    [
      [email, billed],
      [`%${email}%`, `%${billed}%`],
    ],
  );
  expect(remaining).toEqual([]);
  await stage.aDayLater();
  const office = (await stage.addAdmin(email)).body;
  await stage.decline(await tokenFor(email));
  const admins = `/api/organizations/${stage.world.organizationId}/admins/${office.id}/`;
  expect((await stage.admin.patch(admins, { title: 'X' })).status).toBe(404);
});

test('declining one invitation leaves the other open', async () => {
  const email = stage.address();
  await stage.addMember(email);
  const memberToken = await tokenFor(email);
  await stage.aDayLater();
  await stage.addAdmin(email);
  await stage.decline(await tokenFor(email));
  expect((await stage.accept(memberToken, NEW_PASSWORD)).status).toBe(200);
  const client = stage.native;
  client.token = (await logIn(client, { email, password: NEW_PASSWORD })).body.access_token;
  expect((await client.get('/api/auth/me/')).body).toMatchObject({ is_organization_admin: false });
});

test('a person who declined one of two invitations stays known, and an admin may restore the membership', async () => {
  const email = stage.address();
  const member = (await stage.addMember(email)).body;
  const memberToken = await tokenFor(email);
  await stage.addAdmin(email);
  expect((await stage.decline(memberToken)).status).toBe(204);
  expect((await stage.admin.patch(`/api/memberships/${member.id}/`, { status: 'undergrad' })).status).toBe(200);
});

test('an invitation is mailed again at most once a day with a new link', async () => {
  const email = stage.address();
  const member = (await stage.addMember(email)).body;
  const old = await tokenFor(email);
  const again = () => stage.officer.post(`/api/memberships/${member.id}/invite/`);
  expect((await again()).body.code).toBe('already_invited');
  await stage.aDayLater();
  await stage.expire(member.user);
  expect((await stage.admin.get(`/api/memberships/${member.id}/`)).body.invitation.state).toBe('expired');
  expect((await stage.accept(old, NEW_PASSWORD)).body.code).toBe('invitation_invalid');
  expect(await again()).toMatchObject({ status: 200, body: { invitation: { state: 'open' } } });
  expect((await again()).body.code).toBe('already_invited');
  expect((await stage.accept(old, NEW_PASSWORD)).body.code).toBe('invitation_invalid');
  expect((await stage.accept(await tokenFor(email), NEW_PASSWORD)).status).toBe(200);
  expect((await again()).body.code).toBe('invitation_closed');
  expect((await stage.officer.post(`/api/memberships/${stage.world.member.membershipId}/invite/`)).body.code).toBe(
    'invitation_closed',
  );
});

test('invitations to offices are valid for a week, and only people who may add may invite again', async () => {
  const office = (await stage.addAdmin(stage.address())).body;
  const regional = (await stage.addRegionalAdmin(stage.address())).body;
  const base = `/api/organizations/${stage.world.organizationId}`;
  const paths = [`${base}/admins/${office.id}/invite/`, `${base}/regional-admins/${regional.id}/invite/`];
  for (const row of [office, regional]) {
    const days = (Date.parse(row.invitation.expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
  }
  for (const path of paths) expect((await stage.admin.post(path)).body.code).toBe('already_invited');
  await stage.aDayLater();
  for (const path of paths) {
    expect((await stage.officer.post(path)).status).toBe(403);
    expect((await stage.admin.post(path)).body.invitation.state).toBe('open');
  }
  const officer = (await stage.addMember(stage.address(), { role: 'officer' })).body;
  await stage.aDayLater();
  expect((await stage.officer.post(`/api/memberships/${officer.id}/invite/`)).status).toBe(403);
});

test('removing an office withdraws its invitation and erases the address', async () => {
  const [one, two] = [stage.address(), stage.address()];
  const [office, regional] = [(await stage.addAdmin(one)).body, (await stage.addRegionalAdmin(two)).body];
  const tokens = [await tokenFor(one), await tokenFor(two)];
  const base = `/api/organizations/${stage.world.organizationId}`;
  expect((await stage.admin.delete(`${base}/admins/${office.id}/`)).status).toBe(204);
  expect((await stage.admin.delete(`${base}/regional-admins/${regional.id}/`)).status).toBe(204);
  for (const token of tokens) expect((await stage.accept(token, NEW_PASSWORD)).body.code).toBe('invitation_invalid');
  expect(await asOwner('SELECT FROM users WHERE typed_email = ANY ($1)', [[one, two]])).toEqual([]);
  const [own] = await asOwner<{ id: string }>('SELECT id FROM regional_admins WHERE user_id = $1', [
    stage.world.regionalAdmin.userId,
  ]);
  expect((await stage.admin.delete(`${base}/regional-admins/${own?.id}/`)).body.code).toBe('invitation_closed');
});

test('an organization mails an address at most once a day, for any number of invitations', async () => {
  const email = stage.address();
  const base = `/api/organizations/${stage.world.organizationId}`;
  const mails = async () => (await stage.mailbox.to(email)).length;
  const first = (await stage.addAdmin(email)).body;
  expect([first.invitation.mailed_at, await mails()]).toEqual([expect.any(String), 1]);
  await stage.admin.delete(`${base}/admins/${first.id}/`);
  // Invited again after an erasure: to another office, in another letter case, and to two chapters.
  const office = (await stage.addAdmin(email)).body;
  await stage.admin.delete(`${base}/admins/${office.id}/`);
  const regional = (await stage.addRegionalAdmin(email.toUpperCase())).body;
  const member = (await stage.addMember(email)).body;
  const second = (await stage.addMember(email, {}, stage.world.otherChapterId)).body;
  for (const { invitation } of [office, regional, member, second])
    expect(invitation).toMatchObject({ state: 'open', mailed_at: null });
  const again = [
    `/api/memberships/${member.id}/invite/`,
    `/api/memberships/${second.id}/invite/`,
    `${base}/regional-admins/${regional.id}/invite/`,
  ];
  for (const path of again) expect((await stage.admin.post(path)).body.code).toBe('already_invited');
  expect(await mails()).toBe(1);
  // Mails of another organization are counted separately.
  await stage.as(stage.other.admin).post(`/api/chapters/${stage.other.chapterId}/members/`, stage.typed(email));
  expect(await mails()).toBe(2);
  await stage.aDayLater();
  const answers = [];
  for (const path of again) answers.push((await stage.admin.post(path)).body);
  expect([answers[0].invitation.mailed_at, answers[1].code, answers[2].code, await mails()]).toEqual([
    expect.any(String),
    'already_invited',
    'already_invited',
    3,
  ]);
  // One acceptance covers all invitations of the organization.
  await stage.accept(await tokenFor(email), NEW_PASSWORD);
  expect((await stage.admin.get(`/api/memberships/${second.id}/`)).body.invitation).toBeNull();
});

test('a person who declines is not mailed again on the same day', async () => {
  const email = stage.address();
  await stage.addMember(email);
  await stage.decline(await tokenFor(email));
  expect((await stage.addAdmin(email)).body.invitation.mailed_at).toBeNull();
  const stored = await asOwner("SELECT FROM invitation_mails m WHERE m::text LIKE '%' || $1 || '%'", [email]);
  expect(stored).toEqual([]);
});

test('the address is kept while an invitation of the organization may still be renewed', async () => {
  const [expired, withdrawn, declined] = [stage.address(), stage.address(), stage.address()];
  const members = [];
  for (const email of [expired, withdrawn, declined]) members.push((await stage.addMember(email)).body);
  await stage.expire(members[0].user);
  await stage.admin.patch(`/api/memberships/${members[1].id}/`, { status: 'inactive' });
  const takeBack = async (email: string) => {
    const office = (await stage.addAdmin(email)).body;
    expect(
      (await stage.admin.delete(`/api/organizations/${stage.world.organizationId}/admins/${office.id}/`)).status,
    ).toBe(204);
  };
  for (const email of [expired, withdrawn]) await takeBack(email);
  await stage.admin.patch(`/api/memberships/${members[1].id}/`, { status: 'undergrad' });
  await stage.aDayLater();
  for (const [n, email] of [expired, withdrawn].entries()) {
    const { status, body } = await stage.admin.post(`/api/memberships/${members[n].id}/invite/`);
    expect([status, body.email, body.invitation.state]).toEqual([200, email, 'open']);
    // The address still identifies the same person.
    expect((await stage.addMember(email)).body.code).toBe('membership_exists');
  }
  // An expired invitation keeps the address even after an office was declined; declining the last invitation erases it.
  await stage.aDayLater();
  await stage.expire(members[0].user);
  await stage.addAdmin(expired);
  await stage.decline(await tokenFor(expired));
  await stage.decline(await tokenFor(declined));
  const emails = [];
  for (const { id } of members) emails.push((await stage.admin.get(`/api/memberships/${id}/`)).body.email);
  expect(emails).toEqual([expired, withdrawn, null]);
});

test('the database refuses to erase a needed address and to create an account without proof', async () => {
  const { user } = (await stage.addMember(stage.address())).body;
  const inside = (sql: string, values: unknown[]) => inTenant(stage.world.organizationId, () => rows(sql, values));
  await expect(inside('UPDATE users SET typed_email = NULL WHERE id = $1', [user])).rejects.toMatchObject({
    constraint: 'users_typed_email_needed',
  });
  const make = (email: string, hash: string | null) =>
    inside("INSERT INTO users (email, first_name, last_name, password_hash) VALUES ($1, 'A', 'B', $2)", [email, hash]);
  await aVerifiedDomain(stage.other.organizationId, 'other.example');
  await aVerifiedDomain(stage.world.organizationId, 'own.example');
  for (const email of [stage.address(), 'sam@other.example', 'sam@mail.own.example'])
    await expect(make(email, null)).rejects.toMatchObject({ constraint: 'users_proven' });
  await make(`${process.pid}@own.example`, null);
  await make(stage.address(), 'a password that its person chose');
});

test('ending a membership withdraws its invitation, which may be sent again later', async () => {
  const email = stage.address();
  const member = (await stage.addMember(email)).body;
  const token = await tokenFor(email);
  const change = (status: string) => stage.admin.patch(`/api/memberships/${member.id}/`, { status });
  expect((await change('inactive')).body.invitation.state).toBe('withdrawn');
  expect((await stage.accept(token, NEW_PASSWORD)).body.code).toBe('invitation_invalid');
  await stage.aDayLater();
  const again = () => stage.admin.post(`/api/memberships/${member.id}/invite/`);
  expect((await again()).body.code).toBe('invitation_closed');
  await change('undergrad');
  expect((await again()).status).toBe(200);
  expect((await stage.accept(await tokenFor(email), NEW_PASSWORD)).status).toBe(200);
});

test('a signed-in person sees and answers the invitations of their proven addresses', async () => {
  const person = await aForeigner();
  const claimed = stage.address();
  await asOwner('INSERT INTO user_emails (user_id, email) VALUES ($1, $2)', [person.userId, claimed]);
  const member = (await stage.addMember(person.email)).body;
  await stage.addMember(claimed);
  const client = stage.as(person);
  const { results, count } = (await client.get('/api/auth/me/invitations/')).body;
  expect(count).toBe(1);
  expect(results).toEqual([
    expect.objectContaining({
      organization: expect.objectContaining({ id: stage.world.organizationId }),
      kind: 'member',
      chapter: 'Alpha',
      role: 'member',
    }),
  ]);
  const path = `/api/auth/me/invitations/${results[0].id}`;
  expect((await stage.as(stage.other.member).post(`${path}/accept/`)).status).toBe(404);
  expect((await client.post(`${path}/accept/`)).body.organization.id).toBe(stage.world.organizationId);
  expect((await client.post(`${path}/accept/`)).status).toBe(404);
  expect((await client.post(`${path}/decline/`)).status).toBe(404);
  expect((await client.get('/api/auth/me/invitations/')).body.count).toBe(0);
  expect((await stage.admin.get(`/api/memberships/${member.id}/`)).body.user).toBe(person.userId);
  const events = await asOwner("SELECT kind FROM security_events WHERE user_id = $1 AND kind = 'invitation.accepted'", [
    person.userId,
  ]);
  expect(events).toHaveLength(1);
});

test('a signed-in person can decline an invitation', async () => {
  const person = await aForeigner();
  const member = (await stage.addMember(person.email)).body;
  const client = stage.as(person);
  const [{ id }] = (await client.get('/api/auth/me/invitations/')).body.results;
  expect((await client.post(`/api/auth/me/invitations/${id}/decline/`)).status).toBe(204);
  expect((await stage.admin.get(`/api/memberships/${member.id}/`)).body).toMatchObject({
    status: 'inactive',
    email: null,
  });
  expect((await client.get('/api/auth/me/organizations/')).body.count).toBe(1);
});

test("a session that an identity provider began cannot answer another organization's invitation", async () => {
  const person = await aForeigner();
  await asOwner(
    "UPDATE sessions SET confined = true, auth_method = 'saml', provider_answered_at = now() WHERE user_id = $1",
    [person.userId],
  );
  await stage.addMember(person.email);
  expect((await stage.as(person).get('/api/auth/me/invitations/')).body.code).toBe('session_confined');
});

test('a mailed reset also accepts the invitation of a person without an account', async () => {
  const email = stage.address();
  const member = (await stage.addMember(email)).body;
  await stage.nobody.post('/api/auth/password/reset/', { email });
  const mails = await stage.mailbox.to(email);
  expect(mails.at(-1)?.text).toContain(`Organization: Organization ${stage.world.slug}`);
  const token = await tokenFor(email);
  const confirm = (new_password: string) =>
    stage.nobody.post('/api/auth/password/reset/confirm/', { token, new_password });
  expect((await confirm('password')).status).toBe(400);
  expect((await confirm(NEW_PASSWORD)).status).toBe(204);
  expect((await confirm(NEW_PASSWORD)).body.code).toBe('reset_token_invalid');
  expect((await logIn(stage.native, { email, password: NEW_PASSWORD })).status).toBe(200);
  expect((await stage.admin.get(`/api/memberships/${member.id}/`)).body.user).toBe((await accountOf(email))?.id);
});

test('a reset of an account invited elsewhere accepts no invitation', async () => {
  const person = await aForeigner();
  const member = (await stage.addMember(person.email)).body;
  await stage.nobody.post('/api/auth/password/reset/', { email: person.email });
  const token = await tokenFor(person.email);
  await stage.nobody.post('/api/auth/password/reset/confirm/', { token, new_password: NEW_PASSWORD });
  expect((await stage.admin.get(`/api/memberships/${member.id}/`)).body.invitation.state).toBe('open');
});

test('the link joins the account of its mailbox, not the signed-in one', async () => {
  const [person, bystander] = [await aForeigner(), await aForeigner()];
  const member = (await stage.addMember(person.email)).body;
  const token = await tokenFor(person.email);
  expect((await stage.as(bystander).post('/api/auth/invitations/accept/', { token })).status).toBe(200);
  expect((await stage.admin.get(`/api/memberships/${member.id}/`)).body.user).toBe(person.userId);
  expect((await stage.as(bystander).get('/api/auth/me/organizations/')).body.count).toBe(1);
});

test('an address that gets an account elsewhere meanwhile joins with that account', async () => {
  const email = stage.address();
  const member = (await stage.addMember(email)).body;
  const invitation = await tokenFor(email);
  await stage.nobody.post('/api/auth/password/reset/', { email });
  const reset = await tokenFor(email);
  await stage.as(stage.other.admin).post(`/api/chapters/${stage.other.chapterId}/members/`, stage.typed(email));
  await stage.accept(await tokenFor(email), NEW_PASSWORD);
  const late = await stage.nobody.post('/api/auth/password/reset/confirm/', { token: reset, new_password: PASSWORD });
  expect(late.body.code).toBe('reset_token_invalid');
  expect((await logIn(stage.native, { email, password: NEW_PASSWORD })).status).toBe(200);
  expect((await stage.accept(invitation)).status).toBe(200);
  expect((await stage.admin.get(`/api/memberships/${member.id}/`)).body.user).toBe((await accountOf(email))?.id);
});

test('erasing an account declines its invitations, and the organizations do not learn that it existed', async () => {
  const person = await aForeigner();
  const secondary = stage.address();
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
    person.userId,
    secondary,
  ]);
  const [open, expired] = [(await stage.addMember(person.email)).body, (await stage.addMember(secondary)).body];
  const office = (await stage.addAdmin(person.email)).body;
  const token = await tokenFor(person.email);
  await stage.expire(expired.user);
  const erase = () => inTenant(stage.world.organizationId, () => eraseInOrganization(person.userId));
  const given = (by: string | null) =>
    asOwner(
      'UPDATE users SET password_given_in = $2, password_given_at = CASE WHEN $2::uuid IS NOT NULL THEN now() END WHERE id = $1',
      [person.userId, by],
    );
  // A person who only holds a temporary password has proven no mailbox, so the invitation stays open.
  await given(stage.other.organizationId);
  await erase();
  expect((await stage.admin.get(`/api/memberships/${open.id}/`)).body.invitation.state).toBe('open');
  await given(null);
  await erase();
  await erase();
  for (const { id } of [open, expired]) {
    const { body } = await stage.admin.get(`/api/memberships/${id}/`);
    expect(body).toMatchObject({ status: 'inactive', email: null, invitation: { state: 'declined' } });
  }
  expect((await stage.accept(token)).body.code).toBe('invitation_invalid');
  expect(await asOwner('SELECT FROM organization_admins WHERE id = $1', [office.id])).toEqual([]);
  const entries = await asOwner('SELECT FROM audit_log WHERE organization_id = $1 AND subject_id = $2', [
    stage.world.organizationId,
    person.userId,
  ]);
  expect(entries).toEqual([]);
});

test('a person suspended with their organization does not join it', async () => {
  const email = stage.address();
  await stage.addMember(email);
  const token = await tokenFor(email);
  const suspend = (active: boolean) =>
    asOwner('UPDATE organizations SET is_active = $2 WHERE id = $1', [stage.world.organizationId, active]);
  const askToReset = () => stage.nobody.post('/api/auth/password/reset/', { email });
  const reset = (mailed: string) =>
    stage.nobody.post('/api/auth/password/reset/confirm/', { token: mailed, new_password: NEW_PASSWORD });
  await askToReset();
  const mailed = await tokenFor(email);
  await suspend(false);
  expect((await stage.accept(token, NEW_PASSWORD)).body.code).toBe('invitation_invalid');
  expect((await reset(mailed)).body.code).toBe('reset_token_invalid');
  expect(await asOwner('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
  await suspend(true);
  expect((await stage.accept(token, NEW_PASSWORD)).status).toBe(200);
});

test('acceptance replaces the placeholder in every column that can name one', async () => {
  const columns = await asOwner<{ name: string }>(
    `SELECT c.conrelid::regclass || '.' || a.attname AS name
       FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
       JOIN pg_class t ON t.oid = c.conrelid
      WHERE c.contype = 'f' AND c.confrelid = 'users'::regclass AND t.relforcerowsecurity`,
  );
  const known = [
    ...Object.entries(REPLACED_COLUMNS).map((entry) => entry.join('.')),
    ...Object.keys(UNCHANGED_COLUMNS),
  ];
  // An acting person is signed in, so these columns never name a placeholder.
  const others = columns.map(({ name }) => name).filter((name) => !/\.actor_|_by$|\.actor_user_id$/.test(name));
  expect(known.toSorted()).toEqual(others.toSorted());
});
