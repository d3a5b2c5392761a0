import '../../models/wireAreas.js';
import { cancelAccountNotice } from '../../activities/identity/accountNotices.js';
import { platformMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { sequelize } from '../../models/database/connection.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { type Notice, enqueueNotice } from '../../models/identity/notices/enqueueNotice.js';
import { FACT_LABELS, type NoticeKind, noticeText } from '../../models/identity/notices/noticeText.js';
import { type NoticeWording, TEXTS } from '../../models/identity/notices/texts.js';
import { aMailbox, mailNotice } from '../support/accountMail.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { aUser } from '../support/world.js';

const mailbox = aMailbox();
beforeEach(() => mailbox.catcher.mails.clear());
afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

const mails = () => mailbox.catcher.mails.list();
const rowOf = async (id: string) =>
  (await asOwner('SELECT outcome, closed_at, secret_encrypted FROM account_notices WHERE id = $1', [id]))[0];

/** Writes a notice. @returns its id */
async function aNotice(notice: Partial<Notice> = {}): Promise<string> {
  const userId = notice.userId ?? (await aUser());
  await inPlatform(() => enqueueNotice({ userId, kind: 'password_changed', ...notice }));
  const [row] = await asOwner<{ id: string }>('SELECT id FROM account_notices WHERE user_id = $1 ORDER BY id DESC', [
    userId,
  ]);
  return row?.id as string;
}

test('a notice is mailed to the primary address and closed', async () => {
  const userId = await aUser('told@example.org');
  const id = await aNotice({ userId });
  expect(await mailNotice(id)).toBe('sent');
  expect(mails()).toMatchObject([{ to: ['told@example.org'], subject: TEXTS.password_changed.subject }]);
  expect(mails()[0]?.message_id).toContain(`<account.${id}@`);
  expect(await rowOf(id)).toMatchObject({ outcome: 'sent', closed_at: expect.any(Date), secret_encrypted: null });
});

test('a repeated step sends no second mail and returns the same outcome', async () => {
  const id = await aNotice();
  expect([await mailNotice(id), await mailNotice(id, 2)]).toEqual(['sent', 'sent']);
  expect(mails()).toHaveLength(1);
});

test('a secret is stored encrypted until its mail is sent, and then deleted', async () => {
  const id = await aNotice({ kind: 'password_reset', secret: 'a-secret-of-the-mail', expiresInSeconds: 60 });
  expect((await rowOf(id))?.['secret_encrypted']).toMatch(/^v1\./);
  expect(JSON.stringify(await asOwner('SELECT * FROM account_notices WHERE id = $1', [id]))).not.toContain('a-secret');
  expect(JSON.stringify(await asOwner('SELECT * FROM outbox'))).not.toContain('a-secret');
  await mailNotice(id);
  expect(mails()[0]?.text).toContain('/auth/reset-password?token=a-secret-of-the-mail');
  expect((await rowOf(id))?.['secret_encrypted']).toBeNull();
});

test('an address that the server refuses for good closes the notice as refused', async () => {
  const id = await aNotice({ email: 'reject-550@example.org', kind: 'password_reset', secret: 'x' });
  expect([await mailNotice(id), await mailNotice(id, 2)]).toEqual(['refused', 'refused']);
  expect(await rowOf(id)).toMatchObject({ outcome: 'refused', secret_encrypted: null });
});

test('a server that defers the mail leaves the notice open for the next attempt', async () => {
  const id = await aNotice({ email: 'reject-451@example.org' });
  await expect(mailNotice(id)).rejects.toThrow('451');
  expect(await rowOf(id)).toMatchObject({ outcome: null });
});

test('an expired notice is not mailed', async () => {
  const id = await aNotice({ kind: 'password_reset', secret: 'late', expiresInSeconds: -1 });
  expect(await mailNotice(id)).toBe('expired');
  expect(await rowOf(id)).toMatchObject({ outcome: 'expired', secret_encrypted: null });
  expect(mails()).toEqual([]);
});

test('a notice that no server accepted for three days expires', async () => {
  const id = await aNotice();
  await asOwner(`UPDATE account_notices SET created_at = now() - interval '73 hours' WHERE id = $1`, [id]);
  expect(await mailNotice(id)).toBe('expired');
});

test('a cancelled notice is not mailed, and a sent one stays sent', async () => {
  const [open, out] = [await aNotice({ kind: 'password_reset', secret: 'x' }), await aNotice()];
  await mailNotice(out);
  const cancel = (noticeId: string) => cancelAccountNotice({ organizationId: null, noticeId });
  expect([await cancel(open), await cancel(open), await cancel(out)]).toEqual(['cancelled', 'cancelled', 'sent']);
  expect(await mailNotice(open)).toBe('cancelled');
  expect(await rowOf(open)).toMatchObject({ secret_encrypted: null });
  expect(mails()).toHaveLength(1);
});

test('the step of a notice whose account was deleted ends as gone', async () => {
  const userId = await aUser();
  const id = await aNotice({ userId });
  await asOwner('DELETE FROM users WHERE id = $1', [userId]);
  expect(await mailNotice(id)).toBe('gone');
});

const KINDS = Object.keys(TEXTS) as NoticeKind[];
const content = (kind: NoticeKind) => ({
  kind,
  firstName: '<img src=x>',
  facts: Object.fromEntries(Object.keys(FACT_LABELS).map((name) => [name, `"><script>${name}</script>`])),
  secret: 'the/secret',
});

test.each(KINDS)('the mail %s escapes what people typed and has a fixed subject', (kind) => {
  const { subject, text, html } = platformMail(noticeText(content(kind)));
  expect(html).not.toMatch(/<script|<img/);
  expect(text).toContain('<script>email</script>');
  expect(subject).toBe(TEXTS[kind].subject);
  expect(subject).toMatch(/^[A-Z][\w: -]+$/);
});

test.each(KINDS)('the mail %s links only to the front end or to a page of our own', (kind) => {
  const { text, html } = platformMail(noticeText(content(kind)));
  const urlPattern = /(?:^|\s|(?:href|src|action)=")(https?:\/\/[^\s"<]+)/g;
  const urls = [...`${text} ${html}`.matchAll(urlPattern)].map(([, url]) => url);
  const { link }: NoticeWording = TEXTS[kind];
  const origin = link?.isOwnPage ? config.backendUrl : config.frontendUrl;
  for (const url of urls) expect(url?.startsWith(`${origin}/`)).toBe(true);
  expect(urls.length > 0).toBe('link' in TEXTS[kind]);
});

test('facts without a label are not shown', () => {
  const { text } = platformMail(
    noticeText({ ...content('new_device'), facts: { device: 'A phone', password: 'never' } }),
  );
  expect(text).toContain('Device: A phone');
  expect(text).not.toContain('never');
});

test('a mail that needs its secret is not made without it', () => {
  expect(() => noticeText({ ...content('password_reset'), secret: null })).toThrow('secret');
});
