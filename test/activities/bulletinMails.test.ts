/** Mails of a foundation's bulletin: audience, contents and outcomes, also when a worker dies in between. */
import type net from 'node:net';
import { MockActivityEnvironment } from '@temporalio/testing';
import { mailNextRecipients, stopBulletinMails } from '../../activities/foundation/sendBulletin.js';
import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { type Catcher, startCatcher } from '../../development/standins/mail/catcher.js';
import { type Receiver, startReceiver } from '../../gateways/mail/bounces/startReceiver.js';
import { sequelize } from '../../models/database/connection.js';
import { inTenant } from '../../models/database/tenancy.js';
import { createBulletin } from '../../models/foundation/bulletins/bulletins.js';
import { eraseRecipients } from '../../models/foundation/bulletins/eraseRecipients.js';
import {
  retryFailed,
  scheduleBulletin,
  sendBulletin,
  stopBulletin,
} from '../../models/foundation/bulletins/moveBulletin.js';
import type { BulletinStep } from '../../models/foundation/bulletins/sendRound.js';
import { openBulletinToken, unsubscribeRecipient } from '../../models/foundation/bulletins/unsubscribe.js';
import { closeOldMails } from '../../models/notifications/mail/claimMails.js';
import { recordBounce } from '../../models/notifications/mail/recordBounce.js';
import { mailOfReturnPath } from '../../models/notifications/mail/returnPath.js';
import { eraseDonor } from '../../models/foundation/donors/eraseDonor.js';
import { sanitize } from '../../models/richText.js';
import '../../models/wireAreas.js';
import type { FoundationBulletinInput } from '../../workflows/contracts/foundationBulletin.js';
import { aFoundation, type Foundation, insertRow } from '../support/foundation.js';
import { aChargedGift, aGift, type Gift, move } from '../support/gifts.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { until, withServer } from '../support/rudeMailServer.js';
import { aWorld, type World } from '../support/world.js';

let catcher: Catcher;
let receiver: Receiver;
let world: World;
let foundation: Foundation;

beforeAll(async () => {
  receiver = await startReceiver({
    host: '127.0.0.1',
    port: 0,
    domain: 'bounces.example.org',
    mailOf: mailOfReturnPath,
    onReport: (mailId, { status }) => recordBounce(mailId, status),
  });
  catcher = await startCatcher({ smtpPort: 0, httpPort: 0, bouncesPort: receiver.port });
  Object.assign(config, { SMTP_URL: catcher.smtpUrl, BOUNCES_DOMAIN: 'bounces.example.org' });
});
// Each test has donors of its own.
beforeEach(async () => {
  catcher.mails.clear();
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});
afterAll(async () => {
  closeMail();
  await catcher.close();
  await receiver.close();
  await closeOwner();
  await sequelize.close();
});

const inOwn = <T>(work: () => Promise<T>): Promise<T> => inTenant(world.organizationId, work);
const runStep = <T>(
  step: (input: FoundationBulletinInput) => Promise<T>,
  id: string,
  round = 1,
  attempt = 1,
): Promise<T> =>
  new MockActivityEnvironment({ attempt }).run<[FoundationBulletinInput], T, typeof step>(step, {
    organizationId: world.organizationId,
    bulletinId: id,
    round: String(round),
  });
const mailNext = (id: string, round = 1, attempt = 1): Promise<BulletinStep> =>
  runStep(mailNextRecipients, id, round, attempt);
const draft = (more: Record<string, unknown> = {}): Promise<string> =>
  inOwn(async () => {
    const bulletin = { subject: 'News', body_html: '<p>Thank you</p>', audience: 'all_donors' as const, ...more };
    return (await createBulletin(bulletin)).id;
  });
/** A bulletin whose sending was requested. */
const sending = async (more: Record<string, unknown> = {}): Promise<string> => {
  const id = await draft(more);
  await inOwn(() => sendBulletin(id));
  return id;
};
const donors = async (count: number): Promise<Gift[]> => {
  const gifts: Gift[] = [];
  for (let n = 0; n < count; n += 1) gifts.push(await aGift(world.organizationId, foundation));
  return gifts;
};
const donorAt = (email: string): Promise<Gift> => aGift(world.organizationId, foundation, { email });
const mails = () => catcher.mails.list();
const addresses = () =>
  mails()
    .flatMap(({ to }) => to)
    .sort();
const outcomes = async (id: string): Promise<Record<string, string>> => {
  const found = await asOwner<{ email: string; outcome: string }>(
    `SELECT email, status || coalesce(':' || reason, '') AS outcome FROM foundation_bulletin_recipients WHERE bulletin_id = $1`,
    [id],
  );
  return Object.fromEntries(found.map(({ email, outcome }) => [email, outcome]));
};
const rowOf = async (id: string) =>
  (
    await asOwner<{ status: string; round: number; held_at: Date | null }>(
      'SELECT status, round, held_at FROM foundation_bulletins WHERE id = $1',
      [id],
    )
  )[0];
const change = (id: string, columns: string) =>
  asOwner(`UPDATE foundation_bulletins SET ${columns} WHERE id = $1`, [id]);
const noticesOf = (id: string) =>
  asOwner<{ recipient_id: string; title: string; requires_action: boolean; resolved: boolean }>(
    'SELECT recipient_id, title, requires_action, resolved_at IS NOT NULL AS resolved FROM notifications WHERE subject_id = $1',
    [id],
  );
/** The state after a worker died that had claimed these recipients. */
const diedAfterClaim = (gifts: Gift[]) =>
  asOwner(
    `WITH claimed AS (
       UPDATE foundation_bulletin_recipients SET claimed_round = 1 WHERE email = ANY($1) RETURNING organization_id, id, email)
     INSERT INTO mail_messages (organization_id, message_id, email, critical, repeatable)
     SELECT organization_id, 'bulletin.' || id || '.1', email, false, false FROM claimed`,
    [gifts.map(({ email }) => email)],
  );
/** Freezes the audience without mailing anybody: a step that finds the mail server away. */
const freeze = async (id: string): Promise<void> => {
  await withServer(
    (socket) => void socket.end('421 busy\r\n'),
    async () => void (await mailNext(id).catch(() => undefined)),
  );
};

test('each donor gets one mail with a text part, the postal address and a one-click unsubscribe link', async () => {
  const [gift] = (await donors(1)) as [Gift];
  const body_html =
    '<h2>News</h2><p>Read <a href="/donate/x">more</a> &amp; <b>give</b></p><ul><li>One</li></ul><img src="https://track.example.org/1.gif">';
  const id = await sending({ subject: 'Spring news', body_html: sanitize(body_html) });
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  expect(await rowOf(id)).toMatchObject({ status: 'sent' });
  const [recipient] = await asOwner<{ id: string }>(
    'SELECT id FROM foundation_bulletin_recipients WHERE bulletin_id = $1',
    [id],
  );
  const [mail] = mails();
  expect(mails()).toHaveLength(1);
  expect(mail).toMatchObject({
    to: [gift.email],
    subject: 'Spring news',
    message_id: `<bulletin.${recipient?.id}.1@example.org>`,
    return_path: expect.stringMatching(/^b\.[0-9a-f]{62}@bounces\.example\.org$/),
    headers: { 'list-unsubscribe-post': 'List-Unsubscribe=One-Click', 'auto-submitted': 'auto-generated' },
  });
  const link = /^<(.*)>$/.exec(mail?.headers['list-unsubscribe'] as string)?.[1] as string;
  expect(link).toMatch(new RegExp(`^${config.backendUrl}/api/foundation/public/unsubscribe/[\\w.-]+/$`));
  for (const part of ['Alpha Foundation, Inc.', '1 Main Street, Springfield', 'because you gave', link]) {
    expect(mail?.text).toContain(part);
    expect(mail?.html).toContain(part);
  }
  expect(mail?.text).toContain(`News\n\nRead more (${config.frontendUrl}/donate/x) & give\n\n- One`);
  expect(mail?.html).toContain(`<a href="${config.frontendUrl}/donate/x"`);
  expect(mail?.html).not.toMatch(/<img|track\.example/);
  expect(mail?.text).not.toMatch(/^Hello/);
  expect(
    await asOwner('SELECT outcome, recipient_id, repeatable FROM mail_messages WHERE email = $1', [gift.email]),
  ).toEqual([{ outcome: 'sent', recipient_id: null, repeatable: false }]);
});

test('a bulletin without HTML is plain text, and a text part of its own replaces the one made from the HTML', async () => {
  await donors(1);
  await mailNext(await sending({ body_html: null, body_text: 'Only <b>text</b>\n{{subject}}' }));
  await mailNext(await sending({ body_text: 'Another text' }));
  expect(mails().map(({ html }) => html === '')).toEqual([true, false]);
  expect(mails()[0]?.text).toContain('Only <b>text</b>\n{{subject}}');
  expect(mails()[1]).toMatchObject({
    text: expect.stringContaining('Another text'),
    html: expect.stringContaining('<p>Thank you</p>'),
  });
});

test('an audience has those who belong to it when sending begins', async () => {
  const [gift, refunded] = (await donors(2)) as [Gift, Gift];
  await move(refunded, 'returned', 5_000);
  const unpaid = await aChargedGift(world.organizationId, foundation);
  const campaignId = await insertRow('campaigns', {
    organization_id: world.organizationId,
    fund_id: foundation.fundId,
    title: 'Other',
    slug: 'other',
    suggested_amounts: [2500],
    status: 'active',
    published_at: new Date(),
  });
  const elsewhere = await aGift(world.organizationId, { ...foundation, campaignId });
  await asOwner("UPDATE memberships SET status = 'inactive' WHERE id = $1", [world.officer.membershipId]);
  const foreign = await aWorld({ members: 1 });
  await aGift(foreign.organizationId, await aFoundation(foreign));
  const audienceOf = async (more: Record<string, unknown>) => {
    const id = await sending(more);
    await mailNext(id);
    return Object.keys(await outcomes(id)).sort();
  };
  expect(await audienceOf({})).toEqual([gift.email, elsewhere.email].sort());
  expect(await audienceOf({ audience: 'campaign_donors', campaign_id: campaignId })).toEqual([elsewhere.email]);
  expect(await audienceOf({ audience: 'recurring_donors' })).toEqual([]);
  const members = await asOwner<{ email: string }>(
    `SELECT DISTINCT u.email FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = $1 AND m.status NOT IN ('pnm', 'disaffiliated', 'inactive') AND u.email IS NOT NULL ORDER BY 1`,
    [world.organizationId],
  );
  expect(members.length).toBeGreaterThan(2);
  const listed = await audienceOf({ audience: 'organization_members' });
  expect(listed).toEqual(members.map(({ email }) => email));
  expect(addresses()).not.toContain(unpaid.email);
});

test('a step that is repeated, or runs twice at once, mails nobody twice', async () => {
  const gifts = await donors(25);
  const id = await sending();
  await Promise.all([mailNext(id), mailNext(id)]);
  for (let steps = 0; steps < 5; steps += 1) await mailNext(id);
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  const counted = addresses();
  expect(new Set(counted).size).toBe(counted.length);
  // A step that began while the other one was sending may have found mails without an outcome.
  const seen = await outcomes(id);
  for (const { email } of gifts)
    expect([email, seen[email]]).toEqual([email, expect.stringMatching(/^sent$|:outcome_unknown$/)]);
});

test('recipients whose worker died are not mailed again unless unknown outcomes are included', async () => {
  const gifts = await donors(3);
  const id = await sending();
  await freeze(id);
  await diedAfterClaim(gifts.slice(0, 2));
  // Deliveries of notifications close only their own mails.
  await inOwn(closeOldMails);
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  expect(addresses()).toEqual([gifts[2]?.email]);
  expect(Object.values(await outcomes(id)).sort()).toEqual([
    'failed:outcome_unknown',
    'failed:outcome_unknown',
    'sent',
  ]);
  await expect(inOwn(() => retryFailed(id, false))).rejects.toMatchObject({ code: 'invalid_bulletin_transition' });
  await inOwn(() => retryFailed(id, true));
  expect(await mailNext(id, 1)).toEqual({ over: 'stopped' });
  expect(await mailNext(id, 2)).toEqual({ over: 'sent' });
  expect(addresses()).toEqual(gifts.map(({ email }) => email).sort());
  expect(mails().map(({ message_id }) => /\.(\d)@/.exec(message_id)?.[1])).toEqual(['1', '2', '2']);
});

test('a mail that the server had accepted before the worker died counts as sent', async () => {
  const gifts = await donors(1);
  const id = await sending();
  await freeze(id);
  await diedAfterClaim(gifts);
  await asOwner("UPDATE mail_messages SET outcome = 'sent', concluded_at = now() WHERE email = $1", [gifts[0]?.email]);
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  expect([await outcomes(id), mails()]).toEqual([{ [gifts[0]?.email as string]: 'sent' }, []]);
});

test('who unsubscribed, is suppressed or is no longer in the audience at the moment of the claim is skipped', async () => {
  const [stays, leaves, bounced, returned, moved] = (await donors(5)) as [Gift, Gift, Gift, Gift, Gift];
  await mailNext(await sending());
  const link = mails().find(({ to }) => to[0] === leaves.email)?.headers['list-unsubscribe'] as string;
  const id = await sending();
  await freeze(id);
  const token = /unsubscribe\/([^/]+)\//.exec(link)?.[1] as string;
  const recipient = openBulletinToken(token);
  expect(recipient).not.toBeNull();
  await unsubscribeRecipient(recipient as NonNullable<typeof recipient>);
  await unsubscribeRecipient(recipient as NonNullable<typeof recipient>);
  await insertRow('mail_suppressions', {
    organization_id: world.organizationId,
    email: bounced.email,
    reason: 'hard_bounces',
    status: '5.0.0',
  });
  await move(returned, 'returned', 5_000);
  await asOwner("UPDATE donors SET email = 'moved-' || email WHERE id = $1", [moved.donorId]);
  catcher.mails.clear();
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  expect(addresses()).toEqual([stays.email]);
  expect(await outcomes(id)).toEqual({
    [stays.email]: 'sent',
    [leaves.email]: 'skipped:unsubscribed',
    [bounced.email]: 'skipped:suppressed',
    [returned.email]: 'skipped:not_entitled',
    [moved.email]: 'skipped:not_entitled',
  });
});

test('outcomes are copied from the mails, and later bounces too', async () => {
  const bouncing = `bounce-5.1.1@${world.organizationId}.example.org`;
  for (const name of ['reject-550', 'reject-451', 'fine']) await donorAt(`${name}@copied.example.org`);
  await donorAt(bouncing);
  const id = await sending();
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  const seen = await eventually(
    () => outcomes(id),
    (now) => now[bouncing] === 'bounced',
  );
  expect(seen).toEqual({
    'reject-550@copied.example.org': 'failed:refused',
    'reject-451@copied.example.org': 'failed:server_unavailable',
    'fine@copied.example.org': 'sent',
    [bouncing]: 'bounced',
  });
  // Only the mail that no server has is tried again.
  await inOwn(() => retryFailed(id, true));
  catcher.mails.clear();
  await asOwner(
    "UPDATE donors SET email = 'reject-451@copied.example.org' WHERE email = 'reject-451@copied.example.org'",
  );
  expect(await mailNext(id, 2)).toEqual({ over: 'sent' });
  expect(mails()).toEqual([]);
  expect((await outcomes(id))['reject-451@copied.example.org']).toBe('failed:server_unavailable');
  // An outcome outlives the record of the mail, which is pruned after a year.
  await asOwner('DELETE FROM mail_messages WHERE organization_id = $1', [world.organizationId]);
  expect((await outcomes(id))['fine@copied.example.org']).toBe('sent');
});

test('while no server answers the recipients wait, and one mail tests whether it answers again', async () => {
  const gifts = await donors(15);
  const id = await sending();
  await withServer(
    (socket) => void socket.end('421 busy\r\n'),
    async () => {
      await expect(mailNext(id)).rejects.toMatchObject({ name: 'MailUnavailable' });
      await expect(mailNext(id, 1, 2)).rejects.toMatchObject({ name: 'MailUnavailable' });
    },
  );
  expect(new Set(Object.values(await outcomes(id)))).toEqual(new Set(['pending']));
  expect(await asOwner('SELECT id FROM mail_messages WHERE organization_id = $1', [world.organizationId])).toEqual([]);
  expect(await mailNext(id, 1, 3)).toEqual({ over: 'sent' });
  expect(addresses()).toEqual(gifts.map(({ email }) => email).sort());
});

test('at most ten mails are in flight, and those that a server may have accepted are not repeated', async () => {
  await donors(25);
  const id = await sending();
  const inFlight = async () =>
    (
      await asOwner(
        `SELECT id FROM foundation_bulletin_recipients WHERE bulletin_id = $1 AND status = 'pending' AND claimed_round IS NOT NULL`,
        [id],
      )
    ).length;
  let received: net.Socket[] = [];
  await withServer(
    until(/^\.$/, (socket) => void received.push(socket)),
    async () => {
      const step = mailNext(id);
      step.catch(() => undefined);
      await eventually(
        async () => received.length,
        (count) => count === 10,
      );
      expect(await inFlight()).toBe(10);
      for (const socket of received) socket.destroy();
      await expect(step).rejects.toMatchObject({ name: 'MailUnavailable', mayHaveBeenSent: true });
      // The next attempt risks one mail only.
      received = [];
      const next = mailNext(id, 1, 2);
      next.catch(() => undefined);
      await eventually(
        async () => received.length,
        (count) => count === 1,
      );
      expect(await inFlight()).toBe(1);
      received[0]?.destroy();
      await expect(next).rejects.toMatchObject({ mayHaveBeenSent: true });
    },
  );
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  expect(mails()).toHaveLength(14);
  const counts = Object.values(await outcomes(id));
  expect(counts.filter((outcome) => outcome === 'failed:outcome_unknown')).toHaveLength(11);
});

test('a scheduled bulletin waits until it is due', async () => {
  await donors(1);
  const id = await draft();
  await inOwn(() => scheduleBulletin(id, new Date(Date.now() + 3_600_000)));
  expect(await mailNext(id)).toEqual({ seconds: expect.any(Number) });
  expect([mails(), (await rowOf(id))?.status]).toEqual([[], 'scheduled']);
  await change(id, "send_at = now() - interval '11 hours'");
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  expect(mails()).toHaveLength(1);
});

test('a bulletin that is more than 12 hours late is held, admins are told, and sending it goes on', async () => {
  await donors(1);
  const id = await draft({ subject: 'Late news' });
  await inOwn(() => scheduleBulletin(id, new Date(Date.now() + 3_600_000)));
  await change(id, "send_at = now() - interval '13 hours'");
  expect(await mailNext(id)).toEqual({ over: 'held' });
  expect(await mailNext(id)).toEqual({ over: 'held' });
  expect([mails(), await rowOf(id)]).toEqual([[], { status: 'scheduled', round: 1, held_at: expect.any(Date) }]);
  expect(await noticesOf(id)).toEqual([
    { recipient_id: foundation.admin.userId, title: 'A bulletin is on hold', requires_action: true, resolved: false },
  ]);
  await inOwn(() => sendBulletin(id));
  expect((await noticesOf(id))[0]?.resolved).toBe(true);
  expect(await mailNext(id, 1)).toEqual({ over: 'stopped' });
  expect(await mailNext(id, 2)).toEqual({ over: 'sent' });
  expect(mails()).toHaveLength(1);
});

test('a scheduled bulletin is held if its admin lost the role meanwhile, and another admin sends it', async () => {
  await donors(1);
  const id = await draft();
  await inOwn(() => scheduleBulletin(id, new Date(Date.now() + 3_600_000)));
  await change(id, `send_at = now(), started_by = '${foundation.editor.userId}'`);
  expect(await mailNext(id)).toEqual({ over: 'held' });
  expect([mails(), (await noticesOf(id)).length]).toEqual([[], 1]);
  await inOwn(() => sendBulletin(id));
  expect(await mailNext(id, 2)).toEqual({ over: 'sent' });
});

test('a bulletin that stood still for 12 hours while sending is held, and then goes on with the rest', async () => {
  const gifts = await donors(3);
  const id = await sending();
  await freeze(id);
  await diedAfterClaim(gifts.slice(0, 1));
  await change(id, "progressed_at = now() - interval '13 hours'");
  expect(await mailNext(id)).toEqual({ over: 'held' });
  expect([mails(), await rowOf(id)]).toEqual([[], { status: 'sending', round: 1, held_at: expect.any(Date) }]);
  expect(await noticesOf(id)).toHaveLength(1);
  await inOwn(() => sendBulletin(id));
  expect(await mailNext(id, 2)).toEqual({ over: 'sent' });
  expect(addresses()).toEqual(
    gifts
      .slice(1)
      .map(({ email }) => email)
      .sort(),
  );
});

test('attempts that reach no server are no progress', async () => {
  await donors(1);
  const id = await sending();
  await freeze(id);
  await change(id, "progressed_at = now() - interval '11 hours'");
  await freeze(id);
  await change(id, "progressed_at = progressed_at - interval '2 hours'");
  expect(await mailNext(id)).toEqual({ over: 'held' });
});

test('a stopped bulletin mails nobody else; a step or an operator may stop it twice', async () => {
  await donors(2);
  const id = await sending();
  await freeze(id);
  await inOwn(() => stopBulletin(id));
  await runStep(stopBulletinMails, id);
  expect(await mailNext(id)).toEqual({ over: 'stopped' });
  expect([mails(), Object.values(await outcomes(id))]).toEqual([[], ['skipped:stopped', 'skipped:stopped']]);
  const scheduled = await draft();
  await inOwn(() => scheduleBulletin(scheduled, new Date(Date.now() + 3_600_000)));
  await runStep(stopBulletinMails, scheduled);
  await runStep(stopBulletinMails, scheduled);
  expect(await rowOf(scheduled)).toMatchObject({ status: 'draft' });
  expect(await mailNext(scheduled)).toEqual({ over: 'stopped' });
});

test('names and texts change neither headers nor layout of the mail', async () => {
  const [gift] = (await donors(1)) as [Gift];
  await asOwner('UPDATE foundation_configs SET legal_name = $2, mailing_address = $3 WHERE organization_id = $1', [
    world.organizationId,
    'Alpha\r\nBcc: all@example.org\r\n\r\n<script>',
    '1 {{{legal}}} <b>Street</b>\r\nX-Spam: yes',
  ]);
  const id = await sending({ body_html: '<p>{{subject}} {{{body.text}}} </p></div></body>' });
  await asOwner(`UPDATE foundation_bulletins SET subject = E'Two\\r\\nBcc: all@example.org' WHERE id = $1`, [id]);
  await mailNext(id);
  const [mail] = mails();
  expect(mails()).toHaveLength(1);
  expect(mail?.to).toEqual([gift.email]);
  expect(mail?.subject).toBe('Two Bcc: all@example.org');
  expect(mail?.headers).not.toHaveProperty('bcc');
  expect(mail?.headers).not.toHaveProperty('x-spam');
  expect(mail?.html).toContain('{{subject}} {{{body.text}}}');
  expect(mail?.html).not.toMatch(/<script>|<b>Street/);
});

test('an erased donor is in no audience, and one who is erased while the bulletin is sent gets no mail', async () => {
  const [before, meanwhile, stays] = (await donors(3)) as [Gift, Gift, Gift];
  await inOwn(() => eraseDonor(before.donorId));
  const id = await sending();
  await freeze(id);
  expect(Object.keys(await outcomes(id)).sort()).toEqual([meanwhile.email, stays.email].sort());
  await inOwn(() => eraseDonor(meanwhile.donorId));
  expect(await mailNext(id)).toEqual({ over: 'sent' });
  expect([addresses(), await outcomes(id)]).toEqual([[stays.email], { [stays.email]: 'sent' }]);
});

test('an erased person is no recipient any more', async () => {
  const id = await sending({ audience: 'organization_members' });
  await mailNext(id);
  const { userId } = world.member;
  const [row] = await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
  const left = async () => [
    ...(await asOwner('SELECT id FROM foundation_bulletin_recipients WHERE user_id = $1', [userId])),
    ...(await asOwner('SELECT id FROM mail_messages WHERE email = $1', [row?.email])),
  ];
  expect(await left()).toHaveLength(2);
  expect(await inOwn(() => eraseRecipients({ column: 'user_id', id: userId }))).toBe(1);
  expect(await left()).toEqual([]);
});
