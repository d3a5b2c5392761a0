import { temporal as protobuf } from '@temporalio/proto';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { temporal } from '../../gateways/temporal/client.js';
import { dispatchWritten } from '../../models/database/outbox.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { enqueueNotice } from '../../models/identity/notices/enqueueNotice.js';
import { sendAccountNotice } from '../../workflows/contracts/index.js';
import { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { aUser } from '../support/world.js';

let platform: Platform;
let mailbox: Catcher;

beforeAll(async () => {
  mailbox = await startMailServer();
  platform = await startPlatform();
});
afterAll(async () => {
  await platform.close();
  await stopMailServer(mailbox);
});

/** Writes a notice with a secret, and starts its process. @returns the workflow's id */
async function begin(email: string): Promise<{ workflowId: string; noticeId: string }> {
  const userId = await aUser();
  let written: string[] = [];
  await inPlatform(() => enqueueNotice({ userId, kind: 'password_reset', email, secret: 'the-token' }), {
    afterCommit: (ids) => (written = ids),
  });
  await dispatchWritten(written, startMessage);
  const [row] = await asOwner<{ id: string }>('SELECT id FROM account_notices WHERE user_id = $1', [userId]);
  const noticeId = row?.id as string;
  return { noticeId, workflowId: sendAccountNotice.workflowId({ organizationId: null, noticeId }) };
}

const rowOf = async (id: string) => (await asOwner('SELECT * FROM account_notices WHERE id = $1', [id]))[0];

test('a notice is mailed once its transaction is committed, and its process shows the outcome', async () => {
  const { workflowId, noticeId } = await begin('somebody@example.org');
  const handle = temporal().workflow.getHandle(workflowId);
  expect(await handle.result()).toBe('sent');
  expect(mailbox.mails.list('somebody@example.org')).toHaveLength(1);
  expect(await rowOf(noticeId)).toMatchObject({ outcome: 'sent', secret_encrypted: null });
  const { History } = protobuf.api.history.v1;
  const bytes = Buffer.from(History.encode(await handle.fetchHistory()).finish());
  expect(bytes.includes(noticeId)).toBe(true);
  expect([bytes.includes('the-token'), bytes.includes('somebody@example.org')]).toEqual([false, false]);
  await recordHistory(workflowId, 'sendAccountNotice-sent');
});

test('an unsent notice is cancelled on request, and its secret is deleted', async () => {
  const { workflowId, noticeId } = await begin('reject-451@example.org');
  const handle = temporal().workflow.getHandle(workflowId);
  await eventually(
    async () => (await handle.describe()).raw.pendingActivities?.[0]?.attempt ?? 0,
    (attempt) => attempt > 1,
  );
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  expect(await rowOf(noticeId)).toMatchObject({ outcome: 'cancelled', secret_encrypted: null });
  await recordHistory(workflowId, 'sendAccountNotice-cancelled');
});

test('a person who requests a new password over HTTP is mailed a link, and an unknown address is not', async () => {
  const email = 'forgetful@example.org';
  await aUser(email);
  const client = new Client(platform.api.url);
  for (const requestedEmail of ['stranger@example.org', email])
    expect((await client.post('/api/auth/password/reset/', { email: requestedEmail })).status).toBe(204);
  const [mail] = await eventually(
    async () => mailbox.mails.list(email),
    (mails) => mails.length > 0,
  );
  expect(mail?.text).toMatch(/\/auth\/reset-password\?token=[\w-]{43}$/m);
  const open = 'SELECT email FROM account_notices WHERE outcome IS NULL OR user_id IS NULL';
  await eventually(
    () => asOwner(open),
    (rows) => rows.length === 0,
  );
  expect(mailbox.mails.list('stranger@example.org')).toEqual([]);
});
