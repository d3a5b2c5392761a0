/** Processes about a person's account belong to no organization: platform admins see and manage them. */
import { closeMail } from '../../activities/mail.js';
import { processId } from '../../api/processes/id.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { deleteAccount, sendAccountNotice } from '../../workflows/contracts/index.js';
import { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { aMember, aPlatformAdmin, aWorld, type Person, type World } from '../support/world.js';

let platform: Platform;
let mailbox: Catcher | undefined;
let world: World;
let person: Person;
let admin: Client;

// Unless a test starts one, there is no mail server.
beforeAll(async () => {
  Object.assign(config, { SMTP_URL: 'smtp://127.0.0.1:1' });
  platform = await startPlatform();
  world = await aWorld();
  person = await aMember(world.organizationId, world.chapterId);
  admin = platform.client(await aPlatformAdmin());
  expect((await new Client(platform.api.url, { token: person.token }).post('/api/auth/me/deletion/')).status).toBe(202);
});
afterAll(async () => {
  await platform.close();
  closeMail();
  await mailbox?.close();
});

const rowOf = async (table: string): Promise<string> =>
  (await asOwner<{ id: string }>(`SELECT id FROM ${table} WHERE user_id = $1`, [person.userId]))[0]?.id as string;
const noticeProcess = async () =>
  processId(sendAccountNotice.workflowId({ organizationId: null, noticeId: await rowOf('account_notices') }));
const deletionProcess = async () =>
  processId(deleteAccount.workflowId({ organizationId: null, deletionId: await rowOf('account_deletions') }));
const read = async (id: string) => (await admin.get(`/api/processes/${id}/`)).body;

test('a platform admin can neither retry nor cancel the process of a pending account deletion', async () => {
  const id = await deletionProcess();
  const story = await eventually(
    () => read(id),
    ({ waiting_for }) => waiting_for?.code === 'time',
  );
  expect(story).toMatchObject({
    kind: 'account_deletion',
    organization: null,
    stage: 'waiting',
    money_moved: 'no',
    actions: [
      { action: 'retry', safe: false, reason: expect.stringContaining('nothing to try again') },
      { action: 'cancel', safe: false, reason: expect.stringContaining('Only the person can withdraw the deletion') },
    ],
  });
  expect(await admin.post(`/api/processes/${id}/retry/`)).toMatchObject({
    status: 409,
    body: { code: 'nothing_to_retry' },
  });
  expect(await admin.post(`/api/processes/${id}/cancel/`)).toMatchObject({
    status: 409,
    body: { code: 'process_not_cancellable' },
  });
});

test("admins of the person's organization do not see the process of the person's account", async () => {
  for (const id of [await deletionProcess(), await noticeProcess()]) {
    expect((await platform.client(world.admin).get(`/api/processes/${id}/`)).status).toBe(404);
    expect((await platform.client(world.officer).get(`/api/processes/${id}/`)).status).toBe(403);
  }
});

test('a notice that could not be mailed is retried by a platform admin, and cannot be cancelled', async () => {
  const id = await noticeProcess();
  const story = await eventually(
    () => read(id),
    ({ attempts }) => attempts > 1,
  );
  expect(story).toMatchObject({
    kind: 'account_notice',
    organization: null,
    money_moved: 'no',
    last_failure: { code: 'mail_unavailable' },
    actions: [
      { action: 'retry', safe: true },
      { action: 'cancel', safe: false, reason: expect.stringContaining('The person must receive this notice') },
    ],
  });
  expect(await admin.post(`/api/processes/${id}/cancel/`)).toMatchObject({
    status: 409,
    body: { code: 'process_not_cancellable' },
  });
  mailbox = await startCatcher({ smtpPort: 0, httpPort: 0 });
  Object.assign(config, { SMTP_URL: mailbox.smtpUrl });
  closeMail();
  expect(await admin.post(`/api/processes/${id}/retry/`)).toMatchObject({
    status: 200,
    body: { outcome: expect.stringMatching(/^(completed|attempting)$/), process: { money_moved: 'no' } },
  });
  const logged = (await admin.get('/api/platform/audit-log/?action=process.retry_requested')).body.results;
  expect(logged).toMatchObject([{ organization: null, after: { kind: 'account_notice' } }]);
  await eventually(
    () => read(id),
    ({ status, stage }) => status === 'completed' && stage === 'sent',
  );
  expect(mailbox.mails.list()).toHaveLength(1);
});
