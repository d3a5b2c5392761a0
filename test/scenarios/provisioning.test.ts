/** Members who cross get an account at their organization's office suite, and the account follows their membership. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { createAccount, joinGroups, prepareAccount, switchAccount } from '../../activities/intake/accounts.js';
import { temporal } from '../../gateways/temporal/client.js';
import { officeSuites } from '../gateways/accounts.support.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { aMember, type Person, type World } from '../support/world.js';

const suites = officeSuites();
const stage = apiWorld();
queueWorkers(['core'], { relay: true });
const { world, other } = stage;
const environment = new MockActivityEnvironment();

interface Account {
  id: string;
  status: string;
  address: string | null;
  problem: string | null;
  workflow_id: string;
}
const at = ({ organizationId }: World, rest: string) => `/api/organizations/${organizationId}/${rest}/`;
const configure = async (where: World, body: object) => {
  const answer = await stage.as(where.admin).put<{ version: number }>(at(where, 'provisioning-config'), body);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
};
/** A prospect who crosses now. */
async function crossing(where: World, first = 'Pia', last = 'Prospect'): Promise<Person> {
  const person = await aMember(where.organizationId, where.chapterId, 'member', 'pnm');
  await asOwner('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [person.userId, first, last]);
  const [profile] = await asOwner<{ id: string }>(
    `UPDATE pnm_profiles SET stage = 'in_progress' WHERE membership_id = $1 RETURNING id`,
    [person.membershipId],
  );
  const answer = await stage.as(where.admin).post(`/api/pnm/${profile?.id}/transition/`, { to: 'completed' });
  expect(answer.status).toBe(200);
  return person;
}
const accountOf = async ({ membershipId }: Person): Promise<Account> => {
  const [row] = await asOwner<Account>(
    `SELECT id, status, address, problem, account_id, 'provision/' || id AS workflow_id
       FROM account_provisioning_records WHERE membership_id = $1`,
    [membershipId],
  );
  return row as Account;
};
const until = (person: Person, status: string) =>
  eventually(
    () => accountOf(person),
    (account) => account?.status === status,
    60,
  );
/** Expects the secret in no row about accounts and in no input of a process. */
async function expectUnwritten(secret: string): Promise<void> {
  const found = await asOwner(
    `SELECT FROM (SELECT to_jsonb(a)::text AS said FROM audit_log a UNION ALL SELECT to_jsonb(o)::text FROM outbox o
       UNION ALL SELECT to_jsonb(v)::text FROM audit_values v
       UNION ALL SELECT to_jsonb(c)::text FROM account_provisioning_configs c
       UNION ALL SELECT to_jsonb(r)::text FROM account_provisioning_records r) every WHERE strpos(said, $1) > 0`,
    [secret],
  );
  expect(found).toEqual([]);
}
const peopleOf = (played: typeof suites.workspace, externalId: string) =>
  played.directory.all().filter((one) => one.externalId === externalId);

test.each(['workspace', 'office'] as const)(
  'a crossing creates an account at the %s, which gives its owner a password once and follows the membership',
  async (name) => {
    const where = name === 'workspace' ? world : other;
    const played = suites[name];
    await configure(where, {
      ...(name === 'workspace' ? suites.workspaceConfig() : suites.officeConfig()),
      on_leave: 'suspend',
    });
    expect((await stage.as(where.admin).post(at(where, 'provisioning-config/test'))).body).toEqual({
      failed_step: null,
      answer: null,
    });
    const person = await crossing(where, 'Zoë', 'Müller-Ström');
    const account = await until(person, 'active');
    expect(account.address).toBe(`zoe.mullerstrom@${played.directory.domain}`);
    expect(peopleOf(played, account.id)).toMatchObject([
      { address: account.address, groups: played.directory.groups, must_change_password: true, is_suspended: false },
    ]);
    await temporal().workflow.getHandle(account.workflow_id).result();
    await recordHistory(account.workflow_id, `provisionAccount-${name}`);
    const [crossed] = await asOwner<{ id: string }>('SELECT id FROM crossings WHERE membership_id = $1', [
      person.membershipId,
    ]);
    await recordHistory(`crossing/${crossed?.id}`, `cross-provisions-at-the-${name}`);

    const own = stage.as(person);
    expect((await own.get('/api/me/provisioned-account/')).body).toMatchObject({
      address: account.address,
      status: 'active',
    });
    const given = await own.post<{ password: string }>('/api/me/provisioned-account/password/');
    expect(given.status).toBe(200);
    const [there] = peopleOf(played, account.id);
    expect(there).toMatchObject({ password: given.body.password, must_change_password: true });
    expect(await own.post('/api/me/provisioned-account/password/')).toMatchObject({
      status: 409,
      body: { code: 'password_given' },
    });
    await expectUnwritten(given.body.password);

    const change = (status: string) =>
      stage.as(where.admin).patch(`/api/memberships/${person.membershipId}/`, { status, reason: 'Said so.' });
    expect((await change('inactive')).status).toBe(200);
    await until(person, 'suspended');
    expect(peopleOf(played, account.id)).toMatchObject([{ is_suspended: true }]);
    expect((await change('undergrad')).status).toBe(200);
    await until(person, 'active');
    expect(peopleOf(played, account.id)).toMatchObject([{ is_suspended: false, groups: played.directory.groups }]);
  },
);

test('people with the same name get different addresses, and no existing account is taken over', async () => {
  const { directory } = suites.workspace;
  const stranger = { externalId: null, unit: null, password: 'theirs-alone', must_change_password: false };
  directory.add({ ...stranger, address: `ana.one@${directory.domain}`, first_name: 'Ana', last_name: 'One' });
  const twins = await Promise.all(Array.from({ length: 4 }, () => crossing(world, 'Ana', 'One')));
  const accounts = await Promise.all(twins.map((one) => until(one, 'active')));
  const locals = accounts.map(({ address }) => address?.split('@')[0]);
  // The plain address is taken; which of them got which address does not matter.
  expect(new Set(locals).size).toBe(4);
  expect(locals).not.toContain('ana.one');
  expect(directory.find(`ana.one@${directory.domain}`)).toMatchObject({ password: 'theirs-alone', groups: [] });
  // The address of a group is taken, too: of this name only the first part remains.
  const [group] = directory.groups as [string];
  const named = await until(await crossing(world, group.split('@')[0], '会'), 'active');
  expect(named.address).toBe(group.replace('@', '2@'));
});

test('lost answers, late listings, conflicts and quotas lead to one account each', async () => {
  suites.workspace.faults.order({ kind: 'quota', operation: 'create', retry_after: 1 });
  suites.workspace.faults.order({ kind: 'conflict', operation: 'create' });
  suites.workspace.faults.order({ kind: 'lost', operation: 'join' });
  suites.office.faults.order({ kind: 'lost', operation: 'create' });
  suites.office.directory.hide(1);
  const [here, there] = [await crossing(world, 'Lea', 'Late'), await crossing(other, 'Lea', 'Late')];
  for (const [person, played] of [
    [here, suites.workspace],
    [there, suites.office],
  ] as const) {
    const { id, address } = await until(person, 'active');
    const { directory } = played;
    expect(peopleOf(played, id)).toMatchObject([{ address, groups: directory.groups, is_suspended: false }]);
    expect(directory.all().filter(({ last_name }) => last_name === 'Late')).toHaveLength(1);
  }
});

test('refused credentials stop the accounts of their organization only, until new credentials are entered', async () => {
  await configure(world, suites.workspaceConfig());
  for (const operation of ['create', 'look'] as const)
    suites.workspace.faults.order({ kind: 'refused', operation, times: 1_000 });
  const first = await crossing(world, 'Cora', 'Closed');
  expect(await until(first, 'needs_attention')).toMatchObject({ problem: 'credentials_refused' });
  const second = await crossing(world, 'Cid', 'Closed');
  const waiting = await eventually(
    () => accountOf(second),
    (account) => account !== undefined,
  );
  // The crossing starts this process a moment later.
  const ended = () =>
    temporal()
      .workflow.getHandle(waiting.workflow_id)
      .result()
      .catch(() => null);
  await eventually(ended, (end) => end === 'waiting');
  await recordHistory(waiting.workflow_id, 'provisionAccount-waits');
  const { id } = await accountOf(first);
  expect((await stage.admin.get(at(world, 'provisioning-config'))).body).toMatchObject({
    config: { waits: 'credentials_refused' },
  });
  expect((await stage.admin.post(`/api/provisioning-records/${id}/retry/`)).body.code).toBe('provisioning_refused');
  expect((await stage.admin.post(at(world, 'provisioning-config/test'))).body).toEqual({
    failed_step: 'domain',
    answer: 'forbidden',
  });
  await until(await crossing(other, 'Olga', 'Open'), 'active');
  suites.workspace.faults.lift();
  expect((await stage.admin.post(at(world, 'provisioning-config/test'))).body.failed_step).toBeNull();
  await until(first, 'active');
  await until(second, 'active');
});

test('a refusal of credentials that were replaced in the meantime stops no account', async () => {
  const { credentials } = suites.workspaceConfig() as { credentials: object };
  const wrong = { ...credentials, delegated_admin: `nobody@${suites.workspace.directory.domain}` };
  await configure(world, suites.workspaceConfig({ credentials: wrong }));
  suites.workspace.faults.order({ kind: 'hold_before', operation: 'token' });
  const person = await crossing(world, 'Wanda', 'Wrong');
  await eventually(
    async () => suites.workspace.faults.holding,
    (holding) => holding > 0,
  );
  await configure(world, suites.workspaceConfig());
  suites.workspace.faults.lift();
  await until(person, 'active');
  expect((await stage.admin.get(at(world, 'provisioning-config'))).body).toMatchObject({ config: { waits: null } });
});

test('a cancelled process keeps the account that it created, and a retry completes the same account', async () => {
  suites.workspace.faults.order({ kind: 'hold_after', operation: 'create' });
  const person = await crossing(world, 'Carla', 'Cancelled');
  await eventually(
    async () => suites.workspace.faults.holding,
    (holding) => holding > 0,
  );
  const { id, workflow_id } = await accountOf(person);
  const seen = await listProcesses(stage.admin, `subject=${id}`);
  expect(seen.results).toMatchObject([{ workflow_id }]);
  expect((await stage.admin.post(`/api/processes/${seen.results[0].id}/cancel/`)).status).toBe(200);
  expect(await until(person, 'needs_attention')).toMatchObject({ problem: 'cancelled' });
  suites.workspace.faults.lift();
  await temporal()
    .workflow.getHandle(workflow_id)
    .result()
    .catch(() => undefined);
  expect(peopleOf(suites.workspace, id)).toHaveLength(1);
  const list = await stage.admin.get<{ results: Account[] }>(
    at(world, 'provisioning-records') + '?status=needs_attention',
  );
  expect(list.body.results).toMatchObject([{ id, problem: 'cancelled' }]);
  expect((await stage.admin.post(`/api/provisioning-records/${id}/retry/`)).status).toBe(200);
  await until(person, 'active');
  expect(peopleOf(suites.workspace, id)).toHaveLength(1);
  expect((await stage.admin.post(`/api/provisioning-records/${id}/retry/`)).body.code).toBe('account_not_stuck');
});

test('a reverted crossing suspends the account, and each step changes nothing when it runs twice', async () => {
  const person = await crossing(world, 'Rita', 'Reverted');
  const { id } = await until(person, 'active');
  const [made] = await asOwner<{ id: string }>('SELECT id FROM crossings WHERE membership_id = $1', [
    person.membershipId,
  ]);
  expect((await stage.admin.post(`/api/crossings/${made?.id}/revert/`, { reason: 'Wrong person.' })).status).toBe(200);
  await until(person, 'suspended');
  const input = { organizationId: world.organizationId, recordId: id };
  const steps = [prepareAccount, createAccount, switchAccount, joinGroups];
  await asOwner(`UPDATE account_provisioning_records SET wants = 'active' WHERE id = $1`, [id]);
  for (let times = 0; times < 2; times += 1) {
    for (const step of steps) await environment.run<[typeof input], unknown, typeof step>(step, input);
    expect([await accountOf(person), peopleOf(suites.workspace, id)]).toMatchObject([
      { status: 'active' },
      [{ is_suspended: false }],
    ]);
  }
});

test('accounts are reopened or suspended as requested once the obstacle is gone', async () => {
  await configure(world, { ...suites.workspaceConfig(), on_leave: 'suspend' });
  const [back, gone] = [await crossing(world, 'Beth', 'Back'), await crossing(world, 'Gina', 'Gone')];
  const ids = [(await until(back, 'active')).id, (await until(gone, 'active')).id] as const;
  const become = async ({ membershipId }: Person, status: string) =>
    expect((await stage.admin.patch(`/api/memberships/${membershipId}/`, { status, reason: 'Said so.' })).status).toBe(
      200,
    );
  await become(back, 'inactive');
  await until(back, 'suspended');
  expect((await stage.admin.delete(at(world, 'provisioning-config'))).status).toBe(204);
  await become(back, 'undergrad');
  await until(back, 'needs_attention');
  await configure(world, { ...suites.workspaceConfig(), on_leave: 'suspend' });
  expect((await stage.admin.post(`/api/provisioning-records/${ids[0]}/retry/`)).status).toBe(200);
  await until(back, 'active');
  expect(peopleOf(suites.workspace, ids[0])).toMatchObject([{ is_suspended: false }]);
  // The address of an erased person is gone by then.
  suites.workspace.faults.order({ kind: 'refused', operation: 'update' });
  await become(gone, 'inactive');
  await until(gone, 'needs_attention');
  await asOwner('UPDATE account_provisioning_records SET address = NULL WHERE id = $1', [ids[1]]);
  await configure(world, { ...suites.workspaceConfig(), on_leave: 'suspend' });
  await until(gone, 'suspended');
  expect(peopleOf(suites.workspace, ids[1])).toMatchObject([{ is_suspended: true }]);
});

test('a member of two chapters loses the account with the last membership', async () => {
  await configure(world, { ...suites.workspaceConfig(), on_leave: 'suspend' });
  const person = await crossing(world, 'Dora', 'Double');
  const { id } = await until(person, 'active');
  const second = await stage.admin.post<{ id: string }>(`/api/chapters/${world.otherChapterId}/members/`, {
    email: person.email,
    first_name: 'Dora',
    last_name: 'Double',
    role: 'member',
    status: 'undergrad',
  });
  expect(second.status).toBe(201);
  const leave = async (membership: string) =>
    expect(
      (await stage.admin.patch(`/api/memberships/${membership}/`, { status: 'inactive', reason: 'Said so.' })).status,
    ).toBe(200);
  const wants = () => asOwner('SELECT wants FROM account_provisioning_records WHERE id = $1', [id]);
  await leave(person.membershipId);
  expect(await wants()).toEqual([{ wants: 'active' }]);
  await leave(second.body.id);
  await until(person, 'suspended');
  expect(peopleOf(suites.workspace, id)).toMatchObject([{ is_suspended: true }]);
});

test('credentials are never shown, and are kept only for the provider and domain that they were entered for', async () => {
  const { version } = await configure(world, suites.workspaceConfig());
  const put = (body: object) => stage.admin.put(at(world, 'provisioning-config'), body);
  expect(await put(suites.workspaceConfig({ version: version - 1 }))).toMatchObject({ status: 409 });
  const { credentials, ...rest } = suites.workspaceConfig() as { credentials: { private_key: string } };
  expect((await put(rest)).status).toBe(200);
  for (const elsewhere of [
    { ...rest, domain: 'elsewhere.example.org' },
    { ...rest, provider: 'cloud_office' },
  ])
    expect(Object.keys((await put(elsewhere)).body.errors)).toEqual(['credentials']);
  for (const [field, wrong] of [
    ['address_template', '{nick}'],
    ['address_template', 'everybody'],
    ['domain', 'no domain'],
    ['unit', 'Members'],
    ['groups', ['a', 'a']],
    ['credentials', { client_secret: 'x' }],
  ] as const)
    expect(Object.keys((await put({ ...rest, [field]: wrong })).body.errors)[0]).toMatch(new RegExp(`^${field}`));
  expect(JSON.stringify((await stage.admin.get(at(world, 'provisioning-config'))).body)).not.toContain('PRIVATE KEY');
  await expectUnwritten(credentials.private_key.slice(40, 120));
});
