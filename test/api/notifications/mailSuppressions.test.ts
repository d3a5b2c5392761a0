import { AUDIT_LOG } from '../../support/auditLog.js';
import { randomUUID } from 'node:crypto';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import type { World } from '../../support/world.js';

const stage = apiWorld();
const path = (id = '', organizationId = stage.world.organizationId) =>
  `/api/organizations/${organizationId}/mail-suppressions/${id && `${id}/`}`;

/** Adds a suppressed address with a bounce. @returns its id */
async function aSuppression(world: World = stage.world): Promise<string> {
  const email = `${randomUUID()}@example.org`;
  await asOwner(
    `INSERT INTO mail_messages (organization_id, recipient_id, email, message_id, critical, repeatable, outcome, status, concluded_at, bounced_at)
     VALUES ($1, $2, $3, $3, true, false, 'bounced', '5.1.1', now(), now())`,
    [world.organizationId, world.member.userId, email],
  );
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO mail_suppressions (organization_id, user_id, email, reason, status)
     VALUES ($1, $2, $3, 'unknown_address', '5.1.1') RETURNING id`,
    [world.organizationId, world.member.userId, email],
  );
  return row?.id as string;
}

test('admins see the suppressed addresses, newest first', async () => {
  await aSuppression();
  const id = await aSuppression();
  const { status, body } = await stage.admin.get(path());
  expect([status, body.count, body.results[0]]).toEqual([
    200,
    2,
    {
      id,
      user: stage.world.member.userId,
      email: expect.stringContaining('@'),
      reason: 'unknown_address',
      status: '5.1.1',
      created_at: expect.any(String),
    },
  ]);
  const few = await countStatements(() => stage.admin.get(path()));
  for (let n = 0; n < 5; n += 1) await aSuppression();
  expect(await countStatements(() => stage.admin.get(path()))).toBe(few);
});

test('other people do not see the suppressed addresses', async () => {
  const id = await aSuppression();
  expect((await stage.nobody.get(path())).status).toBe(401);
  for (const someone of [stage.officer, stage.member]) {
    expect((await someone.get(path())).status).toBe(403);
    expect((await someone.delete(path(id))).status).toBe(403);
  }
  const theirs = await aSuppression(stage.other);
  await expectNowhere(stage.other.organizationId, (it) => stage.admin.get(path('', it)));
  await expectNowhere(theirs, (it) => stage.admin.delete(path(it)));
  expect((await stage.admin.get(path('?page=x'))).status).not.toBe(200);
});

test('removing a suppression deletes the bounces of the address and is audited', async () => {
  const id = await aSuppression();
  const [before] = await asOwner<{ email: string }>('SELECT email FROM mail_suppressions WHERE id = $1', [id]);
  expect((await stage.admin.delete(path(id))).status).toBe(204);
  expect((await stage.admin.delete(path(id))).status).toBe(404);
  expect(
    await asOwner('SELECT 1 FROM mail_messages WHERE email = $1 AND bounced_at IS NOT NULL', [before?.email]),
  ).toEqual([]);
  const [entry] = await asOwner(
    `SELECT actor_user_id, before FROM ${AUDIT_LOG} WHERE action = 'mail_suppression.deleted' AND subject_id = $1`,
    [id],
  );
  expect(entry).toEqual({
    actor_user_id: stage.world.admin.userId,
    before: expect.objectContaining({ email: before?.email, reason: 'unknown_address' }),
  });
});
