/** Bulletins of a foundation: writing, scheduling, sending and stopping, without the process that mails them. */
import { aMailbox } from '../../support/accountMail.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation, insertRow } from '../../support/foundation.js';
import { aGift } from '../../support/gifts.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const mailbox = aMailbox();
const stage = apiWorld();
const { world, other, as } = stage;

let foundation: Foundation;
let foreign: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  foreign = await aFoundation(other);
});

const path = (id = '', step = '') => `/api/foundation/bulletins/${id && `${id}/`}${step && `${step}/`}`;
const admin = () => as(foundation.admin);
const editor = () => as(foundation.editor);
const draft = (more: Record<string, unknown> = {}) => ({
  subject: 'News',
  body_html: '<p>Thank you</p>',
  audience: 'all_donors',
  ...more,
});
const create = async (more: Record<string, unknown> = {}): Promise<string> => {
  const made = await admin().post(path(), draft(more));
  expect(made.status).toBe(201);
  return made.body.id;
};
const soon = (hours = 1) => new Date(Date.now() + hours * 3_600_000).toISOString();
const change = (id: string, columns: string) =>
  asOwner(`UPDATE foundation_bulletins SET ${columns} WHERE id = $1`, [id]);
const intentsOf = (id: string) =>
  asOwner<{ workflow_id: string; signal: string | null }>(
    `SELECT workflow_id, signal FROM outbox WHERE process = 'foundationBulletin' AND input->>'bulletinId' = $1 ORDER BY id`,
    [id],
  );
/** The state after the audience was frozen, with a recipient for each status and reason. */
async function frozen(id: string, recipients: Record<string, unknown>[]): Promise<void> {
  await change(id, "status = 'sending', started_at = now(), progressed_at = now()");
  const gift = await aGift(world.organizationId, foundation);
  for (const [n, recipient] of recipients.entries())
    await insertRow('foundation_bulletin_recipients', {
      organization_id: world.organizationId,
      bulletin_id: id,
      email: `recipient-${n}@example.org`,
      donor_id: gift.donorId,
      ...recipient,
    });
}
const over = { claimed_round: 1, concluded_at: new Date() };

test('an admin writes a bulletin, and editors read it', async () => {
  const { status, body } = await admin().post(
    path(),
    draft({ body_html: '<p onclick="x()">Hi <script>1</script></p>' }),
  );
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    subject: 'News',
    body_html: '<p>Hi </p>',
    body_text: null,
    audience: 'all_donors',
    campaign: null,
    status: 'draft',
    send_at: null,
    started_at: null,
    held_at: null,
    stopped_at: null,
    sent_at: null,
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    recipients: { pending: 0, sent: 0, failed: 0, bounced: 0, skipped: 0 },
  });
  expect(await editor().get(path(body.id))).toMatchObject({ status: 200, body });
  const changed = await admin().patch(path(body.id), {
    audience: 'campaign_donors',
    campaign: foundation.campaignId,
    version: 1,
  });
  expect(changed).toMatchObject({ status: 200, body: { campaign: foundation.campaignId, version: 2 } });
  expect(await admin().patch(path(body.id), { subject: 'Late', version: 1 })).toMatchObject({
    status: 409,
    body: { code: 'stale_version' },
  });
  // Another audience has no campaign.
  expect(await admin().patch(path(body.id), { audience: 'all_donors' })).toMatchObject({
    status: 200,
    body: { campaign: null },
  });
  expect((await admin().delete(path(body.id))).status).toBe(204);
  expect((await admin().get(path(body.id))).status).toBe(404);
  const log = await asOwner<{ action: string }>('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    body.id,
  ]);
  expect(log.map(({ action }) => action)).toEqual([
    'foundation_bulletin.created',
    'foundation_bulletin.updated',
    'foundation_bulletin.updated',
    'foundation_bulletin.deleted',
  ]);
});

test.each([
  [{ subject: 'Two\r\nBcc: all@example.org' }, 'subject'],
  [{ subject: '' }, 'subject'],
  [{ body_html: undefined }, 'body_text'],
  [{ body_html: '<p> <br></p><hr>' }, 'body_html'],
  [{ body_html: '<script>alert(1)</script>' }, 'body_html'],
  [{ audience: 'everybody' }, 'audience'],
  [{ audience: 'campaign_donors' }, 'campaign'],
  [{ campaign: '0190b7a0-0000-7000-8000-000000000000', audience: 'campaign_donors' }, 'campaign'],
  [{ status: 'sent' }, 'status'],
  [{ no_such_field: 1 }, 'no_such_field'],
] as const)('a bulletin with %j is refused by name', async (wrong, field) => {
  const answer = await admin().post(path(), draft(wrong));
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
});

test('a bulletin is scheduled at most a year ahead; another time has one error', async () => {
  const id = await create();
  const nextYear = new Date();
  nextYear.setUTCFullYear(nextYear.getUTCFullYear() + 1);
  nextYear.setUTCMinutes(nextYear.getUTCMinutes() + 1);
  for (const send_at of [soon(-1), nextYear.toISOString(), 'tomorrow'])
    expect(await admin().post(path(id, 'schedule'), { send_at })).toMatchObject({
      status: 400,
      body: { errors: { send_at: [expect.any(String)] } },
    });
  const latest = new Date(nextYear.getTime() - 120_000).toISOString();
  expect((await admin().post(path(id, 'schedule'), { send_at: latest })).status).toBe(200);
});

test('a campaign of another organization is refused', async () => {
  const answer = await admin().post(path(), draft({ audience: 'campaign_donors', campaign: foreign.campaignId }));
  expect(answer).toMatchObject({ status: 400, body: { errors: { campaign: expect.any(Array) } } });
});

test('only admins of the foundation write, and nobody else reads', async () => {
  const id = await create();
  for (const someone of [foundation.editor, world.admin, world.member]) {
    expect((await as(someone).post(path(), draft())).status).toBe(403);
    expect((await as(someone).patch(path(id), { subject: 'Other' })).status).toBe(403);
    for (const step of ['schedule', 'unschedule', 'send', 'stop', 'retry-failed'])
      expect([
        step,
        (await as(someone).post(path(id, step), step === 'schedule' ? { send_at: soon() } : {})).status,
      ]).toEqual([step, 403]);
    expect((await as(someone).delete(path(id))).status).toBe(403);
  }
  for (const someone of [world.admin, world.officer, world.member])
    for (const address of [path(), path(id), path(id, 'recipients')])
      expect((await as(someone).get(address)).status).toBe(403);
  const theirs = (await as(foreign.admin).post(path(), draft())).body.id as string;
  await expectNowhere(theirs, (it) => admin().get(path(it)));
  await expectNowhere(theirs, (it) => admin().get(path(it, 'recipients')));
  await expectNowhere(theirs, (it) => admin().patch(path(it), { subject: 'Other' }));
  await expectNowhere(theirs, (it) => admin().delete(path(it)));
  for (const step of ['unschedule', 'send', 'stop', 'retry-failed'])
    await expectNowhere(theirs, (it) => admin().post(path(it, step), {}));
  await expectNowhere(theirs, (it) => admin().post(path(it, 'schedule'), { send_at: soon() }));
});

describe('the statuses', () => {
  const send_at = soon();
  const body = (step: string) => (step === 'schedule' ? { send_at } : {});

  test('a bulletin is scheduled, changed, unscheduled and scheduled again, each time with a process of its own', async () => {
    const id = await create();
    expect(await admin().post(path(id, 'schedule'), { send_at })).toMatchObject({
      status: 200,
      body: { status: 'scheduled', send_at },
    });
    expect(await admin().patch(path(id), { subject: 'Changed' })).toMatchObject({
      status: 200,
      body: { subject: 'Changed' },
    });
    expect(await admin().delete(path(id))).toMatchObject({
      status: 409,
      body: { code: 'invalid_bulletin_transition' },
    });
    expect(await admin().post(path(id, 'schedule'), { send_at })).toMatchObject({ status: 409 });
    expect(await admin().post(path(id, 'unschedule'))).toMatchObject({
      status: 200,
      body: { status: 'draft', send_at: null },
    });
    expect((await admin().post(path(id, 'schedule'), { send_at })).status).toBe(200);
    expect(await admin().post(path(id, 'send'))).toMatchObject({
      status: 200,
      body: { status: 'sending', started_at: null },
    });
    expect(await intentsOf(id)).toEqual([
      { workflow_id: `foundation-bulletin/${id}/1`, signal: null },
      { workflow_id: `foundation-bulletin/${id}/1`, signal: 'changed' },
      { workflow_id: `foundation-bulletin/${id}/2`, signal: null },
      { workflow_id: `foundation-bulletin/${id}/3`, signal: null },
      { workflow_id: `foundation-bulletin/${id}/2`, signal: 'changed' },
    ]);
  });

  test.each([
    ['a draft', 'TRUE', ['schedule', 'send']],
    [
      'a scheduled bulletin',
      "status = 'scheduled', send_at = now() + interval '1 hour', round = 1",
      ['unschedule', 'send'],
    ],
    [
      'a scheduled bulletin on hold',
      "status = 'scheduled', send_at = now(), round = 1, held_at = now()",
      ['unschedule', 'send'],
    ],
    ['a bulletin that is being sent', "status = 'sending', send_at = now(), round = 1", ['stop']],
    [
      'a bulletin on hold',
      "status = 'sending', send_at = now(), round = 1, started_at = now(), progressed_at = now(), held_at = now()",
      ['send', 'stop'],
    ],
    ['a sent bulletin', "status = 'sent', send_at = now(), round = 1, sent_at = now()", []],
  ])('%s allows only its own steps', async (_, columns, allowed) => {
    for (const step of ['schedule', 'unschedule', 'send', 'stop', 'retry-failed']) {
      const id = await create();
      if (columns !== 'TRUE') await change(id, columns);
      const answer = await admin().post(path(id, step), body(step));
      expect([step, answer.status]).toEqual([step, allowed.includes(step) ? 200 : 409]);
      if (answer.status === 409) expect(answer.body.code).toBe('invalid_bulletin_transition');
    }
  });

  test('a bulletin that is being sent or was sent cannot be changed or deleted', async () => {
    for (const columns of [
      "status = 'sending', send_at = now(), round = 1",
      "status = 'sent', send_at = now(), round = 1, sent_at = now()",
    ]) {
      const id = await create();
      await change(id, columns);
      expect(await admin().patch(path(id), { subject: 'Other' })).toMatchObject({
        status: 409,
        body: { code: 'bulletin_not_editable' },
      });
      expect(await admin().delete(path(id))).toMatchObject({ status: 409, body: { code: 'bulletin_not_editable' } });
    }
  });

  test('two admins who send at once start one round', async () => {
    const id = await create();
    const answers = await Promise.all([1, 2, 3].map(() => admin().post(path(id, 'send'))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await intentsOf(id)).toHaveLength(1);
  });

  test.each([
    [new Date(Date.now() - 60_000).toISOString()],
    [new Date(Date.now() + 400 * 86_400_000).toISOString()],
    ['tomorrow'],
    [undefined],
  ])('the time %s is refused', async (time) => {
    const answer = await admin().post(path(await create(), 'schedule'), { send_at: time });
    expect(answer).toMatchObject({ status: 400, body: { errors: { send_at: expect.any(Array) } } });
  });

  test('a bulletin needs the mailing address, which stays while it waits', async () => {
    const { mailing_address } = (await admin().get('/api/foundation/config/')).body;
    const id = await create();
    await asOwner('UPDATE foundation_configs SET mailing_address = NULL WHERE organization_id = $1', [
      world.organizationId,
    ]);
    for (const step of ['schedule', 'send'])
      expect(await admin().post(path(id, step), body(step))).toMatchObject({
        status: 409,
        body: { code: 'foundation_incomplete', errors: { mailing_address: ['Is missing.'] } },
      });
    await asOwner('UPDATE foundation_configs SET mailing_address = $2 WHERE organization_id = $1', [
      world.organizationId,
      mailing_address,
    ]);
    await asOwner("UPDATE campaigns SET status = 'draft', published_at = NULL WHERE id = $1", [foundation.campaignId]);
    expect((await admin().post(path(id, 'send'))).status).toBe(200);
    expect(await admin().patch('/api/foundation/config/', { mailing_address: null })).toMatchObject({
      status: 409,
      body: { code: 'foundation_incomplete' },
    });
    await asOwner("UPDATE campaigns SET status = 'active', published_at = now() WHERE id = $1", [
      foundation.campaignId,
    ]);
  });
});

test('stopping skips those who are not claimed, and keeps what happened', async () => {
  const id = await create();
  await admin().post(path(id, 'send'));
  await frozen(id, [{}, { status: 'sent', ...over }, { claimed_round: 1 }]);
  const stopped = await admin().post(path(id, 'stop'));
  expect(stopped).toMatchObject({
    status: 200,
    body: { status: 'sent', stopped_at: expect.any(String), recipients: { pending: 1, sent: 1, skipped: 1 } },
  });
  const { results } = (await admin().get(path(id, 'recipients'))).body;
  expect(results.map(({ status, reason }: Record<string, unknown>) => [status, reason])).toEqual([
    ['skipped', 'stopped'],
    ['sent', null],
    ['pending', null],
  ]);
});

test('a retry includes unknown outcomes only on demand, and those refused for good never', async () => {
  const id = await create();
  await admin().post(path(id, 'send'));
  const failed = (reason: string) => ({ status: 'failed', reason, ...over });
  await frozen(id, [
    failed('server_unavailable'),
    failed('outcome_unknown'),
    failed('refused'),
    { status: 'sent', ...over },
  ]);
  const end = () => change(id, "status = 'sent', sent_at = now()");
  await end();
  const retry = (more: Record<string, unknown>) => admin().post(path(id, 'retry-failed'), more);
  expect(await retry({ include_unknown: 'yes' })).toMatchObject({ status: 400 });
  expect(await retry({})).toMatchObject({
    status: 200,
    body: { status: 'sending', sent_at: null, recipients: { pending: 1, failed: 2, sent: 1 } },
  });
  await end();
  expect(await retry({ include_unknown: false })).toMatchObject({
    status: 409,
    body: { code: 'invalid_bulletin_transition' },
  });
  expect(await retry({ include_unknown: true })).toMatchObject({
    status: 200,
    body: { recipients: { pending: 2, failed: 1, sent: 1 } },
  });
  await end();
  expect((await retry({ include_unknown: true })).status).toBe(409);
  expect((await intentsOf(id)).map(({ workflow_id }) => workflow_id.split('/')[2])).toEqual(['1', '2', '3']);
});

test('the database refuses to mail a recipient again whose mail was sent', async () => {
  const id = await create();
  await admin().post(path(id, 'send'));
  await frozen(id, [{ status: 'sent', ...over }]);
  const { inTenant } = await import('../../../models/database/tenancy.js');
  const { rows } = await import('../../../models/database/rows.js');
  const run = (sql: string) => inTenant(world.organizationId, () => rows(`${sql} RETURNING id`, [id]));
  const again = "status = 'pending', claimed_round = NULL, concluded_at = NULL";
  await expect(run(`UPDATE foundation_bulletin_recipients SET ${again} WHERE bulletin_id = $1`)).rejects.toThrow(
    /cannot be changed/,
  );
  await expect(run("UPDATE foundation_bulletins SET subject = 'Other' WHERE id = $1")).rejects.toThrow(
    /cannot be changed/,
  );
});

test('an admin mails a bulletin to themselves, and nobody else gets it', async () => {
  const id = await create({ subject: 'To test' });
  const [user] = await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [foundation.admin.userId]);
  const answer = await admin().post(path(id, 'test'));
  expect(answer).toMatchObject({ status: 200, body: { sent_to: user?.email, failed_step: null } });
  expect(mailbox.catcher.mails.list()).toMatchObject([
    { to: [user?.email], subject: 'Test: To test', text: expect.stringContaining('1 Main Street, Springfield') },
  ]);
  expect((await admin().get(path(id))).body).toMatchObject({ status: 'draft', recipients: { sent: 0 } });
  expect((await editor().post(path(id, 'test'))).status).toBe(403);
  expect(mailbox.catcher.mails.list()).toHaveLength(1);
});

describe('the lists', () => {
  test('bulletins are listed newest first, and filtered', async () => {
    const id = await create({ audience: 'organization_members' });
    const { body } = await editor().get(`${path()}?audience=organization_members&status=draft`);
    expect([body.count, body.results[0].id]).toEqual([1, id]);
    expect(body.results[0]).not.toHaveProperty('recipients');
    for (const [query, field] of [
      ['status=lost', 'status'],
      ['audience=x', 'audience'],
      ['campaign=x', 'campaign'],
    ] as const)
      expect(await editor().get(`${path()}?${query}`)).toMatchObject({
        status: 400,
        body: { errors: { [field]: expect.any(Array) } },
      });
    const few = await countStatements(() => editor().get(`${path()}?page_size=1`));
    expect(await countStatements(() => editor().get(`${path()}?page_size=5`))).toBe(few);
  });

  test('recipients are listed by address, filtered, and without addresses for editors', async () => {
    const id = await create();
    await admin().post(path(id, 'send'));
    await frozen(id, [
      { email: 'z@example.org' },
      { email: 'a@example.org', status: 'failed', reason: 'refused', ...over },
    ]);
    const { body } = await admin().get(path(id, 'recipients'));
    expect(body).toMatchObject({
      count: 2,
      results: [{ email: 'a@example.org', reason: 'refused' }, { email: 'z@example.org' }],
    });
    expect(body.results[1]).toEqual({
      id: expect.any(String),
      email: 'z@example.org',
      donor: expect.any(String),
      user: null,
      status: 'pending',
      reason: null,
      concluded_at: null,
    });
    const shown = await editor().get(`${path(id, 'recipients')}?status=failed`);
    expect(shown.body).toMatchObject({ count: 1, results: [{ email: null, status: 'failed' }] });
    expect((await editor().get(`${path(id, 'recipients')}?reason=refused`)).body.count).toBe(1);
    expect((await editor().get(`${path(id, 'recipients')}?status=lost`)).status).toBe(400);
    const few = await countStatements(() => admin().get(`${path(id, 'recipients')}?page_size=1`));
    expect(await countStatements(() => admin().get(path(id, 'recipients')))).toBe(few);
    const detail = await countStatements(() => admin().get(path(id)));
    await insertRow('foundation_bulletin_recipients', {
      organization_id: world.organizationId,
      bulletin_id: id,
      email: 'one-more@example.org',
      user_id: world.member.userId,
    });
    expect(await countStatements(() => admin().get(path(id)))).toBe(detail);
  });
});
