import { randomUUID } from 'node:crypto';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { config } from '../../../config.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { foundationErasure } from '../../../models/foundation/erasure.js';
import { beginConfirming, claimCharge } from '../../../models/foundation/pledges/claimCharge.js';
import { followPledge } from '../../../models/foundation/pledges/followPledge.js';
import { endDonorAccess } from '../../../models/foundation/portal/endDonorAccess.js';
import { hashToken, newToken } from '../../../models/identity/secretTokens.js';
import { aMailbox, mailNotice } from '../../support/accountMail.js';
import { startApi } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { documentText } from '../../support/documentText.js';
import { DonorBrowser, linksTo, portalPath, requestLink } from '../../support/donorPages.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { valueIn } from '../../support/givingPage.js';
import { aGift, type Gift, move, receiptsOf } from '../../support/gifts.js';
import { aWaitingGift } from '../../support/giving.js';
import { asOwner } from '../../support/owner.js';
import { aPledge, letPeriodBeDue, pledgeRow } from '../../support/pledges.js';
import { countStatements } from '../../support/statements.js';

config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, donor_link: 10_000 };
const { api, world, other } = apiWorld();
const mailbox = aMailbox();
let foundation: Foundation;
let foreign: Foundation;
let gift: Gift;

beforeAll(async () => {
  foundation = await aFoundation(world);
  foreign = await aFoundation(other, { name: 'Beta Foundation' });
});
beforeEach(async () => {
  gift = await aGift(world.organizationId, foundation, { at: '2026-03-04T12:00:00Z' });
});

const ask = (email: string, of: Pick<Foundation, 'foundationId'> = foundation) => requestLink(api.url, of, { email });
const browser = (cookie: string | null = null) => new DonorBrowser(api.url, cookie);
const home = (below = '') => portalPath(foundation, below);

/** Requests a link and reads it from the mail. @returns its path */
async function aLink(email = gift.email, of: Pick<Foundation, 'foundationId'> = foundation): Promise<string> {
  expect((await ask(email, of)).status).toBe(202);
  return (await linksTo(mailbox, email)).at(-1) as string;
}

/** The browser of the signed-in donor of a gift. */
const signedIn = async (email = gift.email) => browser().use(await aLink(email));

const linksOf = ({ donorId }: Gift) => asOwner('SELECT * FROM donor_links WHERE donor_id = $1', [donorId]);
const sessionsOf = ({ donorId }: Gift) => asOwner('SELECT * FROM donor_sessions WHERE donor_id = $1', [donorId]);
const noticesTo = (email: string) =>
  asOwner<{ id: string }>('SELECT id FROM account_notices WHERE email = $1 ORDER BY id', [email]);

describe('the request for a link', () => {
  test('is answered alike for every address, with the same statements and rows', async () => {
    const request = async (email: string) => {
      let answer: Awaited<ReturnType<typeof ask>> | undefined;
      const statements = await countStatements(async () => (answer = await ask(email)));
      const [notice] = await asOwner(
        'SELECT user_id, kind, facts, secret_encrypted, expires_at - created_at AS seconds FROM account_notices WHERE email = $1',
        [email],
      );
      return { status: answer?.status, body: answer?.body, statements, notice };
    };
    const unknown = `unknown-${uuidv7()}@example.org`;
    await request(`first-${uuidv7()}@example.org`);
    const [known, stranger] = [await request(gift.email), await request(unknown)];
    expect(known).toEqual(stranger);
    const notice = { user_id: null, secret_encrypted: null };
    expect(known).toMatchObject({ status: 202, body: undefined, statements: 4, notice });
    expect(await linksOf(gift)).toEqual([]);
    expect(await mailbox.to(unknown)).toEqual([]);
    expect(await noticesTo(unknown)).toEqual([]);
    expect(await linksTo(mailbox, gift.email)).toHaveLength(1);
    const page = (email: string) => browser().send(home('links/'), { email });
    const [one, two] = [await page(gift.email), await page(unknown)];
    expect([one.status, two.status]).toEqual([202, 202]);
    expect(one.html.replaceAll(gift.email, '')).toBe(two.html.replaceAll(unknown, ''));
  });

  test('mails a donor a link, and stores only the digest of its token', async () => {
    const link = await aLink();
    const [mail] = await mailbox.to(gift.email);
    expect(mail).toMatchObject({ to: [gift.email], subject: 'Sign in to your gifts' });
    expect(mail?.text).toContain(`${config.backendUrl}${link.slice(0, -1)}`);
    expect(mail?.text).toContain('Foundation: Alpha Foundation');
    const token = link.split('/').at(-2) as string;
    const [stored] = await linksOf(gift);
    expect(stored).toMatchObject({ token_hash: hashToken(token), organization_id: world.organizationId });
    for (const table of ['donor_links', 'account_notices', 'outbox'])
      expect(JSON.stringify(await asOwner(`SELECT * FROM ${table}`))).not.toContain(token);
  });

  test('mails the same link when the mail server defers the mail and the step runs again', async () => {
    const { email } = await aGift(world.organizationId, foundation, { email: `reject-451@${uuidv7()}.example` });
    await ask(email);
    const [{ id }] = (await noticesTo(email)) as [{ id: string }];
    const digests = async () => (await asOwner('SELECT token_hash FROM donor_links ORDER BY id DESC LIMIT 1'))[0];
    await expect(mailNotice(id)).rejects.toThrow();
    const first = await digests();
    await expect(mailNotice(id, 2)).rejects.toThrow();
    expect(await digests()).toEqual(first);
    await asOwner('UPDATE account_notices SET expires_at = now() WHERE id = $1', [id]);
    expect(await mailNotice(id, 3)).toBe('gone');
  });

  test('finds a donor of this foundation only, in any spelling of the address', async () => {
    expect((await ask(gift.email, foreign)).status).toBe(202);
    expect(await linksTo(mailbox, gift.email)).toEqual([]);
    expect((await ask(` ${gift.email.toUpperCase()} `)).status).toBe(202);
    expect(await linksTo(mailbox, gift.email)).toHaveLength(1);
  });

  test('refuses bad input and other foundations, and writes nothing', async () => {
    const before = await asOwner('SELECT count(*) FROM account_notices');
    const bad = ['nobody', '', `${gift.email}\r\nBcc: thief@example.org`, 'a@b.example, c@d.example'];
    for (const email of bad) {
      expect(await ask(email)).toMatchObject({ status: 400, body: { errors: { email: expect.any(Array) } } });
      const page = await browser().send(home('links/'), { email });
      expect(page).toMatchObject({ status: 400, html: expect.stringContaining('id="email-error"') });
      expect(valueIn(page, 'email')?.split(/\s/)[0]).toBe(email.split(/\s/)[0]);
    }
    expect((await requestLink(api.url, foundation, { email: gift.email, name: 'x' })).body.errors).toHaveProperty(
      'name',
    );
    expect((await requestLink(api.url, foundation, {})).body.errors).toHaveProperty('email');
    for (const foundationId of [randomUUID(), 'x', world.organizationId]) {
      expect(await ask(gift.email, { foundationId })).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect((await browser().open(portalPath({ foundationId }))).status).toBe(404);
    }
    expect(await asOwner('SELECT count(*) FROM account_notices')).toEqual(before);
  });

  test('is limited to three an hour for one address, by API and page together, and to 30 for one network', async () => {
    for (let n = 0; n < 2; n += 1) expect((await ask(gift.email)).status).toBe(202);
    expect((await browser().send(home('links/'), { email: gift.email.toUpperCase() })).status).toBe(202);
    expect(await ask(gift.email)).toMatchObject({ status: 429, body: { code: 'throttled' } });
    const page = await browser().send(home('links/'), { email: gift.email });
    expect(page).toMatchObject({ status: 429, html: expect.stringContaining('Too many requests. Try again in') });
    expect(valueIn(page, 'email')).toBe(gift.email);
    await asOwner("DELETE FROM throttles WHERE scope = 'donor_link'");
    const limits = config.THROTTLE_LIMITS;
    config.THROTTLE_LIMITS = {};
    const limited = await startApi();
    config.THROTTLE_LIMITS = limits;
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await requestLink(limited.url, foundation, { email: `n${n}@example.org` })).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 202), 429]);
    await limited.close();
  });
});

describe('a link', () => {
  test('changes nothing when it is opened, and its button signs in once', async () => {
    const link = await aLink();
    for (let n = 0; n < 3; n += 1) {
      const page = await browser().open(link);
      expect(page).toMatchObject({ status: 200, html: expect.stringContaining('Sign in</button>') });
      expect(page.headers.get('set-cookie')).toBeNull();
    }
    expect((await fetch(api.url + link, { method: 'HEAD' })).status).toBe(200);
    expect([(await linksOf(gift)).length, await sessionsOf(gift)]).toEqual([1, []]);
    const answer = await fetch(api.url + link, {
      method: 'POST',
      headers: { Origin: api.url },
      body: new URLSearchParams(),
    });
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('donor_session=')) as string;
    expect(cookie).toMatch(
      /^donor_session=[\w-]{43}; Max-Age=7200; Path=\/giving; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(await answer.text()).toContain(`<meta http-equiv="refresh" content="0; url=${home()}">`);
    const [session] = (await sessionsOf(gift)) as [Record<string, unknown>];
    expect(session['token_hash']).toBe(hashToken(/=([\w-]+)/.exec(cookie)?.[1] as string));
    const seconds = (Number(session['expires_at']) - Number(session['created_at'])) / 1000;
    expect(seconds).toBe(7_200);
    expect(await linksOf(gift)).toEqual([]);
    for (const used of [await browser().open(link), await browser().send(link)]) {
      expect(used).toMatchObject({ status: 409, html: expect.stringContaining('This link was used before') });
      expect(used.html).toContain(`action="${home('links/')}"`);
    }
  });

  test('is used by one of ten requests at once', async () => {
    const link = await aLink();
    const pages = await Promise.all(Array.from({ length: 10 }, () => browser().send(link)));
    expect(pages.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    expect(await sessionsOf(gift)).toHaveLength(1);
  });

  test('is no longer accepted after 15 minutes, in another foundation, or if it is none', async () => {
    const link = await aLink();
    const [stored] = await asOwner<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM donor_links WHERE donor_id = $1',
      [gift.donorId],
    );
    expect(stored?.seconds).toBe(900);
    const token = link.split('/').at(-2) as string;
    const elsewhere = portalPath(foreign, `links/${token}/`);
    const strange = [newToken(), 'x', 'x'.repeat(300), encodeURIComponent("' OR 1=1"), `${token}A`];
    await asOwner('UPDATE donor_links SET expires_at = now() WHERE donor_id = $1', [gift.donorId]);
    for (const path of [link, elsewhere, ...strange.map((one) => home(`links/${one}/`))]) {
      for (const page of [await browser().open(path), await browser().send(path)])
        expect(page).toMatchObject({ status: 409, html: expect.stringContaining('Mail me a link') });
    }
    await asOwner("UPDATE donor_links SET expires_at = now() + interval '1 minute' WHERE donor_id = $1", [
      gift.donorId,
    ]);
    expect((await browser().send(elsewhere)).status).toBe(409);
    expect((await browser().send(link)).status).toBe(200);
  });
});

describe('the pages of a donor', () => {
  test('show the gifts and valid receipts of this donor, and of no one else', async () => {
    const stranger = await aGift(world.organizationId, foundation, { cents: 7_700, lastName: 'Stranger' });
    const abroad = await aGift(other.organizationId, foreign, { cents: 8_800, email: gift.email });
    const partly = await aGift(world.organizationId, foundation, { cents: 9_000, email: gift.email });
    await move(partly, 'returned', 1_000);
    const donor = await signedIn();
    const { status, html, headers } = await donor.open(home());
    expect(status).toBe(200);
    for (const text of ['$50.00', 'Spring appeal', 'March 4, 2026', 'Received.', 'Dana Reyes', gift.email])
      expect(html).toContain(text);
    expect(html).toContain('Received, $10.00 of it given back to you.');
    for (const text of ['$77.00', '$88.00', 'Stranger', stranger.email, '<script']) expect(html).not.toContain(text);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'/,
    );
    expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);

    const [own] = await receiptsOf(gift);
    const [superseded, valid] = await receiptsOf(partly);
    const pdfPath = (id = '') => home(`receipts/${id}/pdf/`);
    expect([own, valid].map((receipt) => html.includes(pdfPath(receipt?.id)))).toEqual([true, true]);
    expect(html).not.toContain(pdfPath(superseded?.id));
    const response = await fetch(api.url + pdfPath(own?.id), { headers: { Cookie: donor.cookie as string } });
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'application/pdf', `attachment; filename="receipt-${own?.number}.pdf"`]);
    const text = await documentText(Buffer.from(await response.arrayBuffer()));
    for (const fact of [own?.number, 'Dana Reyes', '$50.00']) expect(text).toContain(fact);
    const others = [superseded, ...(await receiptsOf(stranger)), ...(await receiptsOf(abroad))].map((one) => one?.id);
    const unknown = await donor.open(pdfPath(randomUUID()));
    expect(unknown.status).toBe(404);
    for (const id of [...others, 'x']) {
      const page = await donor.open(pdfPath(id));
      expect([page.status, page.html]).toEqual([404, unknown.html]);
    }
  });

  test('page long lists, and send a constant number of statements', async () => {
    const donor = await signedIn();
    const read = (path: string) => countStatements(() => donor.open(path));
    const few = [await read(home()), await read(home('gifts/')), await read(home('receipts/'))];
    for (let n = 0; n < 25; n += 1)
      await aGift(world.organizationId, foundation, { email: gift.email, cents: 1_000 + n });
    expect([await read(home()), await read(home('gifts/')), await read(home('receipts/'))]).toEqual(few);
    expect((await donor.open(home())).html).toContain(`<a href="${home('gifts/')}">All 26 gifts</a>`);
    for (const list of ['gifts/', 'receipts/']) {
      const [first, second] = [await donor.open(home(list)), await donor.open(home(`${list}?page=2`))];
      expect([first.html.match(/<li>/g)?.length, second.html.match(/<li>/g)?.length]).toEqual([25, 1]);
      expect(first.html).toContain(`<a href="${home(list)}?page=2">Older</a>`);
      expect(second.html).toContain(`<a href="${home(list)}?page=1">Newer</a>`);
      expect(second.html).toContain('$50.00');
      expect((await donor.open(home(`${list}?page=3`))).status).toBe(404);
      expect((await donor.open(home(`${list}?page=x`))).html).toBe(first.html);
    }
  });

  test('change the name and the anonymity of future gifts', async () => {
    const donor = await signedIn();
    const save = (fields: Record<string, string>) => donor.send(home('details/'), fields);
    const saved = await save({ first_name: ' Grace ', last_name: '<b>Hopper</b>', is_anonymous: 'yes' });
    expect(saved.html).toContain('Your details are saved.');
    const page = await donor.open(home());
    expect([valueIn(page, 'first_name'), valueIn(page, 'last_name'), valueIn(page, 'is_anonymous')]).toEqual([
      'Grace',
      '<b>Hopper</b>',
      'yes',
    ]);
    expect(page.html).not.toContain('<b>Hopper');
    // Gifts that were made before keep their name.
    expect(await asOwner('SELECT first_name, is_anonymous FROM donations WHERE id = $1', [gift.donationId])).toEqual([
      { first_name: 'Dana', is_anonymous: false },
    ]);
    const anonymityOf = async (said?: boolean) => {
      const id = await aWaitingGift(world, foundation, { email: gift.email, is_anonymous: said });
      return (await asOwner('SELECT is_anonymous FROM donations WHERE id = $1', [id]))[0]?.['is_anonymous'];
    };
    expect([await anonymityOf(), await anonymityOf(false), await anonymityOf(true)]).toEqual([true, false, true]);
    await save({ first_name: 'Grace', last_name: 'Hopper' });
    expect([await anonymityOf(), await anonymityOf(true)]).toEqual([false, true]);
    const log = await asOwner(
      `SELECT actor_user_id, after FROM audit_log WHERE subject_id = $1 AND action = 'donor.updated' ORDER BY id`,
      [gift.donorId],
    );
    expect(log).toEqual([
      { actor_user_id: null, after: expect.objectContaining({ is_anonymous: true }) },
      { actor_user_id: null, after: expect.objectContaining({ is_anonymous: false }) },
    ]);
    expect(JSON.stringify(log)).not.toMatch(/Grace|Hopper/);
  });

  test.each([
    ['first_name', ''],
    ['last_name', '   '],
    ['first_name', 'x'.repeat(101)],
    ['last_name', 'Reyes\r\nBcc: thief@example.org'],
    ['first_name', 'Dana\u202e'],
  ])('show the form again if the field %s is %j', async (field, value) => {
    const donor = await signedIn();
    const sent = { first_name: 'Ada', last_name: 'Lovelace', is_anonymous: 'yes', [field]: value };
    const page = await donor.send(home('details/'), sent);
    expect(page).toMatchObject({ status: 400, html: expect.stringContaining(`id="${field}-error"`) });
    expect(page.html).toContain('Some fields need your attention.');
    expect([valueIn(page, 'is_anonymous'), page.html.includes('$50.00')]).toEqual(['yes', true]);
    expect(await asOwner('SELECT first_name, is_anonymous FROM donors WHERE id = $1', [gift.donorId])).toEqual([
      { first_name: 'Dana', is_anonymous: false },
    ]);
  });

  test('accept forms of their own origin only', async () => {
    const donor = await signedIn();
    const link = await aLink();
    const forms: [string, Record<string, string>][] = [
      [home('details/'), { first_name: 'Mallory', last_name: 'Reyes' }],
      [home('sign-out/'), {}],
      [home('links/'), { email: gift.email }],
      [link, {}],
    ];
    const before = (await noticesTo(gift.email)).length;
    for (const [path, fields] of forms) {
      for (const Origin of ['https://evil.example', 'null'])
        expect((await donor.send(path, fields, { Origin })).status).toBe(403);
      const noOrigin = {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { Cookie: donor.cookie as string },
      };
      expect((await fetch(api.url + path, noOrigin)).status).toBe(403);
      if (Object.keys(fields).length > 0)
        expect((await donor.send(path, fields, { 'Content-Type': 'application/json' })).status).toBe(415);
    }
    expect((await noticesTo(gift.email)).length).toBe(before);
    expect(await asOwner('SELECT first_name FROM donors WHERE id = $1', [gift.donorId])).toEqual([
      { first_name: 'Dana' },
    ]);
  });
});

describe('a session', () => {
  const needsLink = async (donor: DonorBrowser) => {
    const page = await donor.open(home());
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('Mail me a link') });
    expect(page.html).not.toContain(gift.email);
    const pages = ['gifts/', 'receipts/', `receipts/${randomUUID()}/pdf/`].map((below) => donor.open(home(below)));
    const answers = [
      ...(await Promise.all(pages)),
      await donor.send(home('details/'), { first_name: 'A', last_name: 'B' }),
    ];
    for (const { status, html } of answers)
      expect([status, html.includes('Mail me a link'), html.includes(gift.email)]).toEqual([401, true, false]);
  };

  test('ends in the database when the donor signs out, and no other does', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const copied = one.cookie;
    const page = await one.send(home('sign-out/'));
    expect(page.html).toContain('You are signed out.');
    expect([one.cookie, (await sessionsOf(gift)).length]).toEqual([null, 1]);
    await needsLink(one);
    await needsLink(browser(copied));
    expect((await two.open(home())).html).toContain(gift.email);
    expect((await browser().send(home('sign-out/'))).status).toBe(200);
  });

  test('is valid for two hours, and in its own foundation only', async () => {
    const donor = await signedIn();
    await aGift(other.organizationId, foreign, { email: gift.email });
    const abroad = await donor.open(portalPath(foreign));
    expect([abroad.html.includes('Mail me a link'), abroad.html.includes(gift.email)]).toEqual([true, false]);
    expect((await donor.open(portalPath(foreign, 'gifts/'))).status).toBe(401);
    await asOwner('UPDATE donor_sessions SET expires_at = now() WHERE donor_id = $1', [gift.donorId]);
    await needsLink(donor);
    await needsLink(browser('donor_session=x'));
    await needsLink(browser(`access_token=${world.member.token}`));
  });

  test('gives no access to the API', async () => {
    const Cookie = (await signedIn()).cookie as string;
    expect((await fetch(`${api.url}/api/foundation/donations/`, { headers: { Cookie } })).status).toBe(401);
  });

  test('ends with all links when the donor is erased, and when the account of the donor is deleted', async () => {
    for (const end of [
      () => endDonorAccess([gift.donorId]),
      async () => void (await foundationErasure.inOrganization?.(world.member.userId, [])),
    ]) {
      gift = await aGift(world.organizationId, foundation);
      await asOwner('UPDATE donors SET user_id = $2 WHERE id = $1', [gift.donorId, world.member.userId]);
      const [donor, link, bystander] = [await signedIn(), await aLink(), await aGift(world.organizationId, foundation)];
      const remains = await signedIn(bystander.email);
      await inTenant(world.organizationId, end);
      await needsLink(donor);
      expect((await browser().send(link)).status).toBe(409);
      expect([await linksOf(gift), await sessionsOf(gift)]).toEqual([[], []]);
      expect((await remains.open(home())).html).toContain(bystander.email);
    }
  });

  test('is deleted by the hourly cleanup when it has expired, as links are', async () => {
    const [donor, link] = [await signedIn(), await aLink()];
    const old = await aGift(world.organizationId, foundation);
    for (const table of ['donor_links', 'donor_sessions'])
      await asOwner(
        `INSERT INTO ${table} (organization_id, donor_id, token_hash, expires_at)
         SELECT $1, $2, left(md5(n::text) || md5('x'), 43), now() FROM generate_series(1, 150) n`,
        [world.organizationId, old.donorId],
      );
    expect([await removeNextFiles(), await removeNextFiles()]).toEqual([true, false]);
    expect([await linksOf(old), await sessionsOf(old)]).toEqual([[], []]);
    expect((await donor.open(home())).html).toContain(gift.email);
    expect((await browser().open(link)).status).toBe(200);
  });
});

test('nothing is served for a suspended organization', async () => {
  const donated = await aGift(other.organizationId, foreign);
  const donor = await browser().use(await aLink(donated.email, foreign));
  const link = await aLink(donated.email, foreign);
  await ask(donated.email, foreign);
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [other.organizationId]);
  expect((await ask(donated.email, foreign)).status).toBe(404);
  for (const path of [portalPath(foreign), portalPath(foreign, 'gifts/'), link])
    expect((await donor.open(path)).status).toBe(404);
  expect((await donor.send(link)).status).toBe(404);
  const before = mailbox.catcher.mails.list(donated.email).length;
  expect(await mailbox.to(donated.email)).toHaveLength(before);
});

/** Brings the first charge of a pledge to the step after which a cancellation cannot prevent it. */
async function beginCharge(pledgeId: string): Promise<void> {
  await letPeriodBeDue(pledgeId);
  await inTenant(world.organizationId, async () => {
    await followPledge(pledgeId);
    const step = await claimCharge(pledgeId, 1);
    await beginConfirming(pledgeId, 1, 'attemptId' in step ? step.attemptId : '');
  });
}

test('a donor pauses, resumes and cancels an own pledge, and none of another donor', async () => {
  const own = await aPledge(world, foundation, { email: gift.email });
  const other = await aPledge(world, foundation);
  const donor = await signedIn();
  const send = (id: string, what: string, fields: Record<string, string> = {}) =>
    donor.send(home(`pledges/${id}/${what}/`), fields);
  expect((await donor.open(home())).html).toContain('Regular gifts');
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  await send(own.id, 'pause', { resume_on: day });
  expect(await pledgeRow(own.id)).toMatchObject({ status: 'paused', resume_on: day });
  await send(own.id, 'resume');
  expect(await pledgeRow(own.id)).toMatchObject({ status: 'active' });
  expect(await send(own.id, 'pause', { resume_on: '2020-01-01' })).toMatchObject({
    status: 400,
    html: expect.stringContaining('Pause until: Must not be past.'),
  });
  for (const what of ['pause', 'cancel']) expect((await send(other.id, what)).status).toBe(404);
  expect((await send(other.id, 'amount', { amount: '60' })).status).toBe(404);
  for (const amount of ['', '0.5', 'all', '25000.01'])
    expect(await send(own.id, 'amount', { amount })).toMatchObject({
      status: 400,
      html: expect.stringContaining('Amount: '),
    });
  expect((await send(own.id, 'amount', { amount: '$60' })).html).toContain('From the next gift on, you give $60.00.');
  expect(await pledgeRow(other.id)).toMatchObject({ status: 'active' });
  await beginCharge(own.id);
  expect((await send(own.id, 'cancel')).html).toContain('A charge was already on its way.');
  expect(await pledgeRow(own.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'donor' });
});

test('another amount is charged from the next period on, and an open period keeps its own', async () => {
  const own = await aPledge(world, foundation, { email: gift.email });
  const donor = await signedIn();
  const amounts = () =>
    asOwner('SELECT amount_cents::int FROM donations WHERE pledge_id = $1 ORDER BY period', [own.id]);
  await letPeriodBeDue(own.id);
  await inTenant(world.organizationId, () => followPledge(own.id));
  await donor.send(home(`pledges/${own.id}/amount/`), { amount: '12.34' });
  expect(await amounts()).toEqual([{ amount_cents: 5_000 }, { amount_cents: 5_000 }]);
  await asOwner(
    `UPDATE pledge_periods SET status = 'missed', missed_reason = 'declined', closed_at = now(), next_try_at = NULL WHERE pledge_id = $1 AND n = 1`,
    [own.id],
  );
  await letPeriodBeDue(own.id, 2);
  await inTenant(world.organizationId, () => followPledge(own.id));
  expect((await amounts()).at(-1)).toEqual({ amount_cents: 1_234 });
});

test('a new name and another choice of anonymity apply to the next gift of a pledge, and to nothing else of it', async () => {
  const own = await aPledge(world, foundation, { email: gift.email, first_name: 'Didi', is_anonymous: true });
  const donor = await signedIn();
  const save = (fields: Record<string, string>) => donor.send(home('details/'), { last_name: 'Reyes', ...fields });
  const read = async () =>
    (await asOwner('SELECT first_name, is_anonymous FROM recurring_pledges WHERE id = $1', [own.id]))[0];
  await save({ first_name: 'Dana', is_anonymous: 'yes' });
  expect(await read()).toEqual({ first_name: 'Didi', is_anonymous: true });
  await save({ first_name: 'Dana' });
  expect(await read()).toEqual({ first_name: 'Didi', is_anonymous: false });
  await save({ first_name: 'Grace' });
  expect(await read()).toEqual({ first_name: 'Grace', is_anonymous: false });
  await letPeriodBeDue(own.id);
  await inTenant(world.organizationId, () => followPledge(own.id));
  expect(
    await asOwner('SELECT first_name, is_anonymous FROM donations WHERE pledge_id = $1 ORDER BY period', [own.id]),
  ).toEqual([
    { first_name: 'Didi', is_anonymous: true },
    { first_name: 'Grace', is_anonymous: false },
  ]);
});
