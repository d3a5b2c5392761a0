/** Tests two concurrent decisions about one invitation: one wins, and the other is refused. */
import { asOwner } from '../../../support/owner.js';
import { aMember, aUser } from '../../../support/world.js';
import { statuses } from '../statuses.support.js';
import { logIn } from '../../identity/accounts.support.js';
import { inviting, NEW_PASSWORD } from './invitations.support.js';

const stage = inviting();
const ROUNDS = 4;
const each = async (round: (email: string) => Promise<void>) => {
  for (let n = 0; n < ROUNDS; n += 1) await round(stage.address());
};
const accountsOf = (email: string) => asOwner<{ id: string }>('SELECT id FROM users WHERE email = $1', [email]);

test('two concurrent acceptances make one account with one membership', () =>
  each(async (email) => {
    const { body: member } = await stage.addMember(email);
    const token = await stage.mailbox.tokenFor(email);
    const answers = await Promise.all([stage.accept(token, NEW_PASSWORD), stage.accept(token, NEW_PASSWORD)]);
    expect(statuses(answers)).toEqual([200, 400]);
    const accounts = await accountsOf(email);
    expect(accounts).toHaveLength(1);
    const rows = await asOwner('SELECT user_id FROM memberships WHERE id = $1', [member.id]);
    expect(rows).toEqual([{ user_id: accounts[0]?.id }]);
  }));

test("ten concurrent acceptances with different passwords make one account with the winner's password", async () => {
  const email = stage.address();
  const { body: member } = await stage.addMember(email);
  const token = await stage.mailbox.tokenFor(email);
  const passwords = Array.from({ length: 10 }, (_, n) => `${NEW_PASSWORD}-${n}`);
  const answers = await Promise.all(passwords.map((password) => stage.accept(token, password)));
  const accepted = passwords.filter((_, n) => answers[n]?.status === 200);
  expect([accepted.length, answers.filter(({ status }) => status >= 500).length]).toEqual([1, 0]);
  const [account, ...others] = await accountsOf(email);
  expect(others).toEqual([]);
  expect(await asOwner('SELECT user_id FROM memberships WHERE id = $1', [member.id])).toEqual([
    { user_id: account?.id },
  ]);
  expect((await logIn(stage.native, { email, password: accepted[0] })).status).toBe(200);
});

test('of concurrent acceptances for two organizations one creates the account, and the other learns that its password is not used', () =>
  each(async (email) => {
    await stage.addMember(email);
    const first = await stage.mailbox.tokenFor(email);
    await stage.as(stage.other.admin).post(`/api/chapters/${stage.other.chapterId}/members/`, stage.typed(email));
    const second = await stage.mailbox.tokenFor(email);
    const OTHER_PASSWORD = `${NEW_PASSWORD}-other`;
    const answers = await Promise.all([stage.accept(first, NEW_PASSWORD), stage.accept(second, OTHER_PASSWORD)]);
    const late = answers.findIndex(({ status }) => status !== 200);
    // The other request either chose a password before the account existed, or is refused by the field afterwards.
    expect([409, 400]).toContain(answers[late]?.status);
    const refused = answers[late]?.body;
    expect(refused.code === 'password_not_kept' || Object.keys(refused.errors)[0] === 'password').toBe(true);
    const [used, unused] = late === 1 ? [NEW_PASSWORD, OTHER_PASSWORD] : [OTHER_PASSWORD, NEW_PASSWORD];
    expect((await logIn(stage.native, { email, password: used })).status).toBe(200);
    expect((await logIn(stage.native, { email, password: unused })).status).toBe(401);
    // The refusal does not use up the token.
    expect((await stage.accept(late === 1 ? second : first)).status).toBe(200);
    const [account, ...more] = await accountsOf(email);
    expect(more).toEqual([]);
    expect(await asOwner('SELECT FROM affiliations WHERE user_id = $1', [account?.id])).toHaveLength(2);
  }));

test('of two concurrent acceptances by an account without a password, the winner sets it and the other is refused', () =>
  each(async (email) => {
    await aUser(email);
    await stage.addMember(email);
    const first = await stage.mailbox.tokenFor(email);
    await stage.as(stage.other.admin).post(`/api/chapters/${stage.other.chapterId}/members/`, stage.typed(email));
    const second = await stage.mailbox.tokenFor(email);
    const passwords = [NEW_PASSWORD, `${NEW_PASSWORD}-other`];
    const answers = await Promise.all([stage.accept(first, passwords[0]), stage.accept(second, passwords[1])]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect([409, 400]).toContain(answers[1 - winner]?.status);
    expect((await logIn(stage.native, { email, password: passwords[winner] })).status).toBe(200);
  }));

test('concurrent acceptance and decline have one result', () =>
  each(async (email) => {
    const { body: member } = await stage.addMember(email);
    const token = await stage.mailbox.tokenFor(email);
    const [yes, no] = await Promise.all([stage.accept(token, NEW_PASSWORD), stage.decline(token)]);
    expect([yes.status === 200, no.status === 204].filter(Boolean)).toHaveLength(1);
    const row = (await stage.admin.get(`/api/memberships/${member.id}/`)).body;
    expect([row.status, row.invitation?.state ?? null]).toEqual(
      yes.status === 200 ? ['undergrad', null] : ['inactive', 'declined'],
    );
    expect(await accountsOf(email)).toHaveLength(yes.status === 200 ? 1 : 0);
  }));

test('an acceptance during the removal of the office leaves no admin', () =>
  each(async (email) => {
    const { body: office } = await stage.addAdmin(email);
    const token = await stage.mailbox.tokenFor(email);
    const path = `/api/organizations/${stage.world.organizationId}/admins/${office.id}/`;
    const [yes, removed] = await Promise.all([stage.accept(token, NEW_PASSWORD), stage.admin.delete(path)]);
    expect(removed.status).toBe(204);
    expect([200, 400, 409]).toContain(yes.status);
    expect(await asOwner('SELECT FROM organization_admins WHERE id = $1', [office.id])).toEqual([]);
  }));

test('an acceptance during the end of the membership gives no access', () =>
  each(async (email) => {
    const { body: member } = await stage.addMember(email);
    const token = await stage.mailbox.tokenFor(email);
    const end = () => stage.admin.patch(`/api/memberships/${member.id}/`, { status: 'inactive' });
    const [yes, ended] = await Promise.all([stage.accept(token, NEW_PASSWORD), end()]);
    expect([200, 400, 409]).toContain(yes.status);
    if (ended.status === 409) await end();
    const [account] = await accountsOf(email);
    const standing = account ? await asOwner('SELECT FROM affiliations WHERE user_id = $1', [account.id]) : [];
    expect(standing).toEqual([]);
  }));

test('an acceptance during a new mail either succeeds or leaves the new link open', () =>
  each(async (email) => {
    const { body: member } = await stage.addMember(email);
    const token = await stage.mailbox.tokenFor(email);
    await stage.aDayLater();
    const again = () => stage.admin.post(`/api/memberships/${member.id}/invite/`);
    const [yes, mailed] = await Promise.all([stage.accept(token, NEW_PASSWORD), again()]);
    const row = (await stage.admin.get(`/api/memberships/${member.id}/`)).body;
    if (yes.status === 200) expect([row.invitation, [409, 200].includes(mailed.status)]).toEqual([null, true]);
    else expect([yes.body.code, mailed.status, row.invitation.state]).toEqual(['invitation_invalid', 200, 'open']);
  }));

test('an acceptance while the address is added again makes no second person', () =>
  each(async (email) => {
    await stage.addMember(email);
    const token = await stage.mailbox.tokenFor(email);
    const again = () => stage.addMember(email, {}, stage.world.otherChapterId);
    const [yes, typed] = await Promise.all([stage.accept(token, NEW_PASSWORD), again()]);
    expect(yes.status).toBe(200);
    if (typed.status === 409) expect((await again()).status).toBe(201);
    const people = await asOwner(
      `SELECT DISTINCT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email = $1 OR u.typed_email = $1`,
      [email],
    );
    expect(people).toEqual([{ user_id: (await accountsOf(email))[0]?.id }]);
  }));

test('an acceptance while the account is being disabled succeeds or is refused', async () => {
  for (let n = 0; n < ROUNDS; n += 1) {
    const person = await aMember(stage.other.organizationId, stage.other.chapterId);
    await stage.addMember(person.email);
    const token = await stage.mailbox.tokenFor(person.email);
    const close = () => asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [person.userId]);
    const [yes] = await Promise.all([stage.accept(token), close()]);
    expect(yes.status === 200 || yes.body.code === 'account_disabled').toBe(true);
  }
});
