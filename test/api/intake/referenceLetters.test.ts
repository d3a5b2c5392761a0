/** Reference letters: requested by mail, submitted once, and never shown to the applicant. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { followReferenceLetter } from '../../../activities/intake/referenceLetters.js';
import { config } from '../../../config.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aTerm, aUser } from '../../support/world.js';
import { EICAR } from '../../../development/standins/scan/server.js';
import { scanStoredFile } from '../../../activities/organizations/scanFiles.js';
import { aScanner } from '../../gateways/scan.support.js';
import { aStore } from '../../gateways/storage.support.js';
import { inviting } from '../organizations/invitations/invitations.support.js';

const many = Object.fromEntries(
  ['pnm_submit_ip', 'pnm_submit_email', 'pnm_verify_email', 'public_reference_letter'].map((scope) => [scope, 10_000]),
);
config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, ...many };
aStore();
aScanner();
const stage = inviting();
const form = (rest: string, slug = stage.world.slug) => `/api/pnm/public/${slug}/${rest}`;

beforeAll(async () => {
  const { organizationId } = stage.world;
  const term = await aTerm(stage.world, 2300);
  const { id } = (
    await stage.admin.post(`/api/organizations/${organizationId}/recruitment-periods/`, {
      term,
      name: 'Intake',
      opens_at: '2020-01-01T00:00:00.000Z',
      closes_at: '2100-01-01T00:00:00.000Z',
    })
  ).body;
  expect((await stage.admin.post(`/api/recruitment-periods/${id}/activate/`)).status).toBe(200);
  await ask({ reference_letters: 2, reference_letter_days: 21 });
});
const ask = async (more: object) =>
  expect((await stage.admin.put(`/api/organizations/${stage.world.organizationId}/pnm-config/`, more)).status).toBe(
    200,
  );

interface Letter {
  id: string;
  name: string;
  email: string;
  status: string;
}

/** A confirmed application with two requested letters. */
async function anApplication() {
  const [email, first, second] = [stage.address(), stage.address(), stage.address()];
  const referees = [
    { name: 'Dr. First', email: first, relation: 'Teacher' },
    { name: 'Second', email: second },
  ];
  const sent = await stage.nobody.post(form('applications/'), {
    email,
    first_name: 'Ada',
    last_name: 'Applicant',
    chapter: stage.world.chapterId,
    referees,
  });
  expect(sent.status).toBe(202);
  expect((await stage.nobody.post(form('verify-email/'), { token: await stage.mailbox.tokenFor(email) })).status).toBe(
    204,
  );
  const [{ id: pnm } = { id: '' }] = await asOwner<{ id: string }>(
    'SELECT profile_id AS id FROM pnm_applications WHERE email = $1',
    [email],
  );
  const list = async () => (await stage.officer.get(`/api/pnm/${pnm}/reference-letters/`)).body.results as Letter[];
  const [one, other] = await list();
  return {
    email,
    token: sent.body.token as string,
    pnm,
    first,
    second,
    list,
    one: one as Letter,
    other: other as Letter,
  };
}

const follow = (letterId: string) =>
  new MockActivityEnvironment().run(followReferenceLetter, { organizationId: stage.world.organizationId, letterId });
/** Runs a step of the letter's workflow. @returns the mailed token */
async function requestLetter({ id, email }: Letter): Promise<string> {
  await follow(id);
  return stage.mailbox.tokenFor(email);
}
const statusOf = async (token: string) => (await stage.nobody.get(form(`applications/${token}/`))).body;
const submitLetter = (token: string, text = 'She is reliable.') =>
  stage.nobody.post(form(`reference-letters/${token}/`), { text });
const act = (letter: Letter, action: string, body?: object, by = stage.officer) =>
  by.post(`/api/reference-letters/${letter.id}/${action}/`, body);
const ageLetter = (letter: Letter, days: number) =>
  asOwner(
    `UPDATE pnm_reference_letters SET created_at = created_at - $2 * interval '1 day', expires_at = expires_at - $2 * interval '1 day',
            asked_at = asked_at - $2 * interval '1 day' WHERE id = $1`,
    [letter.id, days],
  );
const mails = async ({ email }: Letter) =>
  (await asOwner<{ kind: string }>('SELECT kind FROM account_notices WHERE email = $1 ORDER BY id', [email])).map(
    ({ kind }) => kind,
  );

test('a referee is asked for a letter, which officers read and the applicant never sees', async () => {
  const { token, pnm, one, other, list } = await anApplication();
  expect(await statusOf(token)).toMatchObject({
    letters_missing: 2,
    referees: [{ name: 'Dr. First', status: 'requested' }, { name: 'Second' }],
  });
  expect((await stage.officer.get(`/api/pnm/${pnm}/`)).body.problems).toEqual(['reference_letters']);
  const link = await requestLetter(one);
  for (let again = 0; again < 2; again += 1)
    expect((await stage.nobody.get(form(`reference-letters/${link}/`))).body).toMatchObject({
      applicant: 'Ada Applicant',
      name: 'Dr. First',
      relation: 'Teacher',
      status: 'requested',
    });
  for (const elsewhere of [form(`reference-letters/${link}/`, stage.other.slug), form('reference-letters/unknown/')])
    expect((await stage.nobody.get(elsewhere)).status).toBe(404);
  expect((await submitLetter(link, ' ')).body.errors).toHaveProperty('text');
  expect((await submitLetter(link, 'x'.repeat(10_001))).body.errors).toHaveProperty('text');
  expect((await submitLetter(link)).status).toBe(204);
  expect((await submitLetter(link)).status).toBe(204);
  expect(await submitLetter(link, 'Something else.')).toMatchObject({ status: 409, body: { code: 'letter_closed' } });
  expect((await list())[0]).toMatchObject({ status: 'submitted', text: 'She is reliable.', has_file: false });
  const { body } = await stage.nobody.get(form(`applications/${token}/`));
  expect(JSON.stringify(body)).not.toContain('reliable');
  expect(body).toMatchObject({ letters_missing: 1, referees: [{ status: 'submitted' }, { status: 'requested' }] });
  expect((await stage.member.get(`/api/pnm/${pnm}/reference-letters/`)).status).toBe(403);
  expect((await submitLetter(await requestLetter(other))).status).toBe(204);
  expect((await stage.officer.get(`/api/pnm/${pnm}/`)).body.problems).toEqual([]);
  const logged = await asOwner(`SELECT FROM audit_log t WHERE to_jsonb(t)::text LIKE '%reliable%'`);
  expect([logged, await asOwner(`SELECT FROM audit_values t WHERE to_jsonb(t)::text LIKE '%reliable%'`)]).toEqual([
    [],
    [],
  ]);
  const notifications = await asOwner<{ title: string }>(
    `SELECT title FROM notifications WHERE subject_id = $1 AND notification_type = 'pnm_letter_received'`,
    [one.id],
  );
  expect(notifications).toContainEqual({ title: 'Letter about Ada Applicant received' });
});

test('a refused letter or referee spends nothing of the budget of a network', async () => {
  const readHits = async () =>
    (
      await asOwner<{ scope: string; hits: number }>(
        `SELECT scope, sum(hits)::int AS hits FROM throttles
          WHERE scope IN ('public_reference_letter', 'pnm_verify_email') GROUP BY scope ORDER BY scope`,
      )
    ).map(({ hits }) => hits);
  const { token, one } = await anApplication();
  const link = await requestLetter(one);
  const refer = (email: string, replaces?: string) =>
    stage.nobody.post(form(`applications/${token}/referees/`), { name: 'Third', email, replaces });
  expect((await submitLetter(await requestLetter((await anApplication()).one))).status).toBe(204);
  const [verified = 0, written = 0] = await readHits();
  expect((await submitLetter(link, ' ')).status).toBe(400);
  expect((await submitLetter('unknown')).status).toBe(404);
  expect((await sendFile(link, 'no PDF')).status).toBe(400);
  expect((await refer('no address', one.id)).status).toBe(400);
  expect((await refer(stage.address())).body.code).toBe('referees_complete');
  expect(await readHits()).toEqual([verified, written]);
  expect((await refer(stage.address(), one.id)).status).toBe(204);
  expect((await submitLetter(await requestLetter((await anApplication()).one))).status).toBe(204);
  expect(await readHits()).toEqual([verified + 2, written + 1]);
});

test('a repeated application counts even if a referee in it cannot be asked', async () => {
  const { pnm, email, first, list } = await anApplication();
  const byOfficer = stage.address();
  const officers = await stage.officer.post(`/api/pnm/${pnm}/reference-letters/`, { name: 'Third', email: byOfficer });
  expect(officers.status).toBe(201);
  const again = async (...referees: string[]) => {
    const sent = await stage.nobody.post(form('applications/'), {
      email,
      first_name: 'Ada',
      last_name: 'Applicant',
      chapter: stage.world.chapterId,
      honors_achievements: referees.join(),
      referees: referees.map((address) => ({ name: 'Anybody', email: address })),
    });
    expect(sent.status).toBe(202);
    return stage.nobody.post(form('verify-email/'), { token: await stage.mailbox.tokenFor(email) });
  };
  const readHonors = async () => (await stage.officer.get(`/api/pnm/${pnm}/`)).body.honors_achievements;
  expect((await again(byOfficer, first)).status).toBe(204);
  expect(await readHonors()).toBe(`${byOfficer},${first}`);
  expect((await list()).map(({ status }) => status)).toEqual(['requested', 'cancelled', 'requested']);

  // One referee is the applicant: another address of the same account.
  const own = stage.address();
  const userId = await aUser(email);
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [userId, own]);
  expect((await again(own, first)).status).toBe(204);
  expect(await readHonors()).toBe(`${own},${first}`);
  expect((await list()).map(({ status }) => status)).toEqual(['requested', 'cancelled', 'requested']);
});

test('a sent mail is not followed before the next reminder, and a mail that is refused ends the letter', async () => {
  const { one, pnm } = await anApplication();
  await requestLetter(one);
  const { seconds } = (await follow(one.id)) as { seconds: number };
  expect(seconds).toBeGreaterThan(6 * 86_400);
  expect(await asOwner('SELECT FROM account_notices WHERE email = $1', [one.email])).toEqual([]);
  const nowhere = 'reject-550@example.org';
  const { body } = await stage.officer.post(`/api/pnm/${pnm}/reference-letters/`, { name: 'Gone', email: nowhere });
  await follow(body.id);
  await asOwner('UPDATE outbox SET dispatched_at = now() WHERE workflow_id = $1', [`reference-letter/${body.id}`]);
  await stage.mailbox.to(nowhere);
  expect(
    await asOwner('SELECT signal FROM outbox WHERE workflow_id = $1 AND dispatched_at IS NULL', [
      `reference-letter/${body.id}`,
    ]),
  ).toEqual([{ signal: 'changed' }]);
  expect(await follow(body.id)).toEqual({ over: 'undeliverable' });
});

test('a referee may use the link of an earlier mail although the reminder was refused', async () => {
  const { one } = await anApplication();
  const link = await requestLetter(one);
  await ageLetter(one, 7.1);
  await follow(one.id);
  await asOwner(
    "UPDATE account_notices SET outcome = 'refused', closed_at = now(), secret_encrypted = NULL WHERE email = $1",
    [one.email],
  );
  expect(await follow(one.id)).toEqual({ seconds: expect.any(Number) });
  expect((await submitLetter(link)).status).toBe(204);
});

test('a cancelled or deleted letter deletes its mails that are not sent yet', async () => {
  const { one, other } = await anApplication();
  for (const letter of [one, other]) {
    await follow(letter.id);
    await ageLetter(letter, 7.1);
    await follow(letter.id);
    expect(await mails(letter)).toHaveLength(2);
  }
  expect((await act(one, 'cancel')).status).toBe(200);
  expect([await mails(one), await mails(other)]).toEqual([[], [expect.anything(), expect.anything()]]);
  await asOwner('DELETE FROM pnm_reference_letters WHERE id = $1', [other.id]);
  expect(await mails(other)).toEqual([]);
});

test('ten concurrent submissions with links of different mails make one letter', async () => {
  const { one, list } = await anApplication();
  const first = await requestLetter(one);
  await ageLetter(one, 7.5);
  const reminderLink = await requestLetter(one);
  expect(reminderLink).not.toBe(first);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => submitLetter(n % 2 ? first : reminderLink, `Letter ${n}`)),
  );
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]));
  expect((await list()).filter(({ status }) => status === 'submitted')).toHaveLength(1);
});

test('a letter is reminded of after 7 and 14 days, with one mail for missed reminders, and then expires', async () => {
  const { one, other, list } = await anApplication();
  for (let again = 0; again < 2; again += 1) expect(await follow(one.id)).toEqual({ seconds: expect.any(Number) });
  expect(await mails(one)).toEqual(['reference_letter_requested']);
  await ageLetter(one, 7.1);
  for (let again = 0; again < 2; again += 1) await follow(one.id);
  await ageLetter(one, 7);
  for (let again = 0; again < 2; again += 1) await follow(one.id);
  const reminder = 'reference_letter_reminder';
  expect(await mails(one)).toEqual(['reference_letter_requested', reminder, reminder]);
  await ageLetter(one, 7);
  for (let again = 0; again < 2; again += 1) expect(await follow(one.id)).toEqual({ over: 'expired' });
  await follow(other.id);
  await ageLetter(other, 15);
  await follow(other.id);
  expect(await mails(other)).toEqual(['reference_letter_requested', reminder]);
  await asOwner(
    "UPDATE account_notices SET outcome = 'refused', closed_at = now(), secret_encrypted = NULL WHERE email = $1",
    [other.email],
  );
  expect(await follow(other.id)).toEqual({ over: 'undeliverable' });
  expect((await list()).map(({ status }) => status)).toEqual(['expired', 'undeliverable']);
});

test('a decided application needs no letter, and the links answer that', async () => {
  const { pnm, one, other } = await anApplication();
  const link = await requestLetter(one);
  const reason = 'They are known well.';
  const approve = { to: 'approved', waive: ['reference_letters'], reason };
  expect((await stage.officer.post(`/api/pnm/${pnm}/transition/`, { to: 'approved' })).body.code).toBe(
    'intake_not_ready',
  );
  expect((await stage.officer.post(`/api/pnm/${pnm}/transition/`, approve)).status).toBe(200);
  expect(await submitLetter(link)).toMatchObject({ status: 410, body: { code: 'no_longer_needed' } });
  expect((await stage.nobody.get(form(`reference-letters/${link}/`))).status).toBe(410);
  expect(await follow(one.id)).toEqual({ over: 'cancelled' });
  expect((await act(other, 'remind')).body.code).toBe('letter_closed');
  const late = await stage.officer.post(`/api/pnm/${pnm}/reference-letters/`, { name: 'Late', email: stage.address() });
  expect(late).toMatchObject({ status: 410, body: { code: 'no_longer_needed' } });
});

test('letters are requested again when a closed period is reopened, except those that ended before', async () => {
  const { pnm, one, other, list } = await anApplication();
  const link = await requestLetter(one);
  expect((await act(other, 'cancel')).status).toBe(200);
  const setStage = (stage: string, closedFrom: string | null) =>
    asOwner('UPDATE pnm_profiles SET stage = $2, closed_from = $3 WHERE id = $1', [pnm, stage, closedFrom]);
  await setStage('rejected', 'not_started');
  expect((await submitLetter(link)).status).toBe(410);
  await setStage('not_started', null);
  expect((await list()).map(({ status }) => status)).toEqual(['requested', 'cancelled']);
  expect(await follow(one.id)).toEqual({ seconds: expect.any(Number) });
  expect((await submitLetter(link)).status).toBe(204);

  const decided = await anApplication();
  await asOwner(`UPDATE pnm_profiles SET stage = 'rejected' WHERE id = $1`, [decided.pnm]);
  await asOwner(`UPDATE pnm_profiles SET stage = 'not_started' WHERE id = $1`, [decided.pnm]);
  expect((await decided.list()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
});

test('an applicant replaces a referee who does not write, and cannot name themselves', async () => {
  const { token, email, one, other, second } = await anApplication();
  const name = (body: object) => stage.nobody.post(form(`applications/${token}/referees/`), { name: 'Third', ...body });
  const third = stage.address();
  expect((await name({ email: third })).body.code).toBe('referees_complete');
  expect((await name({ email: second, replaces: one.id })).body.code).toBe('letter_requested');
  expect((await name({ email, replaces: one.id })).body.errors).toHaveProperty('email');
  const foreign = await anApplication();
  expect((await name({ email: third, replaces: foreign.one.id })).status).toBe(404);
  expect((await name({ email: third, replaces: one.id })).status).toBe(204);
  expect((await statusOf(token)).referees).toMatchObject([
    { id: other.id, status: 'requested' },
    { name: 'Third', status: 'requested' },
  ]);
  const link = await requestLetter(other);
  for (let again = 0; again < 2; again += 1)
    expect((await stage.nobody.post(form(`reference-letters/${link}/decline/`), undefined)).status).toBe(204);
  expect((await name({ email: stage.address() })).status).toBe(204);
  const own = { email: stage.address(), first_name: 'A', last_name: 'B', chapter: stage.world.chapterId };
  const alone = [
    { name: 'Me', email: own.email },
    { name: 'x', email: 'nobody' },
  ];
  const refused = await stage.nobody.post(form('applications/'), { ...own, referees: alone });
  expect(Object.keys(refused.body.errors)).toEqual(['referees.0.email', 'referees.1.email']);
});

test('addresses of the same mailbox count as one person: no applicant is a referee, and no referee is named twice', async () => {
  const { email, token, pnm, one, other, first, second } = await anApplication();
  const tagged = (address: string, tag = 'letters') => address.replace('@', `+${tag}@`);
  const send = (...addresses: string[]) =>
    stage.nobody.post(form('applications/'), {
      email: tagged(email, 'apply'),
      first_name: 'Ada',
      last_name: 'Applicant',
      chapter: stage.world.chapterId,
      referees: addresses.map((address) => ({ name: 'Anybody', email: address })),
    });
  expect((await send(email, tagged(email))).body.errors).toEqual({
    'referees.0.email': ['You cannot be your own referee.'],
    'referees.1.email': ['You cannot be your own referee.'],
  });
  expect((await send(first, tagged(first))).body.errors).toEqual({
    'referees.1.email': [expect.stringContaining('already')],
  });
  const name = (address: string, replaces?: string) =>
    stage.nobody.post(form(`applications/${token}/referees/`), { name: 'Third', email: address, replaces });
  expect((await name(tagged(email), one.id)).body.errors).toHaveProperty('email');
  expect((await name(tagged(second), one.id)).body.code).toBe('letter_requested');
  const byOfficer = (address: string) =>
    stage.officer.post(`/api/pnm/${pnm}/reference-letters/`, { name: 'Third', email: address });
  expect((await byOfficer(tagged(first))).body.code).toBe('letter_requested');
  expect((await byOfficer(tagged(email))).body.errors).toHaveProperty('email');
  expect((await name(tagged(second), other.id)).status).toBe(204);
});

test('an officer requests letters, reminds once a day, waives missing letters, and cancels requests', async () => {
  const { pnm, one, other, list } = await anApplication();
  const more = { name: 'Fourth', email: stage.address() };
  const made = await stage.officer.post(`/api/pnm/${pnm}/reference-letters/`, more);
  expect(made).toMatchObject({ status: 201, body: { status: 'requested', requested_by: stage.world.officer.userId } });
  expect((await stage.officer.post(`/api/pnm/${pnm}/reference-letters/`, more)).body.code).toBe('letter_requested');
  const first = await requestLetter(one);
  expect((await act(one, 'remind')).body.code).toBe('letter_reminded');
  await ageLetter(one, 2);
  expect((await act(one, 'remind')).status).toBe(200);
  expect((await stage.nobody.get(form(`reference-letters/${first}/`))).status).toBe(200);
  expect((await act(one, 'waive', {})).body.errors).toHaveProperty('reason');
  expect((await act(one, 'waive', { reason: 'Ill.' })).body).toMatchObject({
    status: 'cancelled',
    waiver_reason: 'Ill.',
  });
  expect((await act(other, 'waive', { reason: 'Ill.' }, stage.member)).status).toBe(403);
  for (let again = 0; again < 2; again += 1) expect((await act(made.body, 'cancel')).body.status).toBe('cancelled');
  expect((await submitLetter(await requestLetter(other))).status).toBe(204);
  expect((await act(other, 'waive', { reason: 'x' })).body.code).toBe('letter_closed');
  expect((await stage.officer.get(`/api/pnm/${pnm}/`)).body.problems).toEqual([]);
  const count = () => countStatements(() => stage.officer.get(`/api/pnm/${pnm}/reference-letters/`));
  const few = await count();
  await asOwner(
    `INSERT INTO pnm_reference_letters (organization_id, profile_id, name, email, status, closed_at, expires_at)
     SELECT $1, $2, 'Many', 'many' || n || '@example.org', 'cancelled', now(), now() FROM generate_series(1, 20) n`,
    [stage.world.organizationId, pnm],
  );
  expect(await count()).toEqual(few);
  expect((await list()).length).toBeGreaterThan(20);
});

const sendFile = (link: string, content: string) => {
  const body = new FormData();
  body.append('file', new Blob([content]), 'letter.pdf');
  return fetch(`${stage.api.url}${form(`reference-letters/${link}/file/`)}`, { method: 'POST', body });
};
/** Runs the virus scan of the letter's file. */
async function scan({ id }: Letter) {
  const [row] = await asOwner<{ file_id: string }>('SELECT file_id FROM pnm_reference_letters WHERE id = $1', [id]);
  const input = { organizationId: stage.world.organizationId, fileId: row?.file_id as string };
  return new MockActivityEnvironment().run(scanStoredFile, input);
}

test('a letter may be a PDF, which is read once it was scanned and is deleted with the application', async () => {
  const { pnm, token, one, other } = await anApplication();
  const link = await requestLetter(one);
  const send = (content: string) => sendFile(link, content);
  expect((await send('<html>')).status).toBe(400);
  const answers = await Promise.all([send('%PDF-1.7 one'), send('%PDF-1.7 two')]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]));
  expect((await stage.officer.get(`/api/pnm/${pnm}/reference-letters/`)).body.results[0]).toMatchObject({
    status: 'submitted',
    text: null,
    has_file: true,
    is_being_checked: true,
  });
  const read = () => stage.officer.get(`/api/reference-letters/${one.id}/file/`);
  expect(await read()).toMatchObject({ status: 409, body: { code: 'file_not_checked' } });
  expect(await statusOf(token)).toMatchObject({ referees: [{ status: 'submitted' }, {}] });
  expect(await scan(one)).toBe('clean');
  expect((await read()).status).toBe(302);
  expect((await stage.member.get(`/api/reference-letters/${one.id}/file/`)).status).toBe(403);
  expect((await submitLetter(await requestLetter(other), 'Она надёжна. 🙂')).status).toBe(204);
  const { token: officer } = stage.world.officer;
  const packet = await fetch(`${stage.api.url}/api/pnm/${pnm}/packet.zip`, {
    headers: { Authorization: `Bearer ${officer}` },
  });
  const inside = Buffer.from(await packet.arrayBuffer());
  expect(packet.status).toBe(200);
  for (const part of ['application.pdf', 'letter-1.pdf', 'letter-2.pdf', '%PDF-1.7 '])
    expect([part, inside.includes(part)]).toEqual([part, true]);
  expect((await stage.nobody.post(form(`applications/${token}/withdraw/`), { erase: true })).status).toBe(204);
  await removeNextFiles();
  for (const table of ['pnm_reference_letters', 'account_notices', 'notifications'])
    expect([table, await asOwner(`SELECT FROM ${table} t WHERE to_jsonb(t)::text LIKE $1`, [`%${one.id}%`])]).toEqual([
      table,
      [],
    ]);
  expect(await asOwner("SELECT FROM stored_files WHERE purpose = 'pnm_letter' AND status = 'kept'")).toEqual([]);
});

test('an infected letter cannot be read, and is requested again unless the application is decided', async () => {
  const { pnm, token, one, other, list } = await anApplication();
  const [link, second] = [await requestLetter(one), await requestLetter(other)];
  for (const to of [link, second]) expect((await sendFile(to, `%PDF-1.7 ${EICAR}`)).status).toBe(204);
  const problems = async () => (await stage.officer.get(`/api/pnm/${pnm}/`)).body.problems;
  expect(await problems()).toEqual(['reference_letters']);
  expect(await scan(one)).toBe('infected');
  expect((await list())[0]).toMatchObject({
    status: 'requested',
    has_file: false,
    is_being_checked: false,
    file_refused_at: expect.any(String),
  });
  expect((await stage.officer.get(`/api/reference-letters/${one.id}/file/`)).status).toBe(404);
  expect(await statusOf(token)).toMatchObject({ referees: [{ status: 'requested' }, { status: 'submitted' }] });
  const started = await asOwner('SELECT FROM outbox WHERE workflow_id = $1 AND dispatched_at IS NULL', [
    `reference-letter/${one.id}`,
  ]);
  expect(started).not.toEqual([]);
  await follow(one.id);
  expect((await mails(one)).at(-1)).toBe('reference_letter_refused');
  expect((await stage.nobody.get(form(`reference-letters/${link}/`))).body).toMatchObject({
    status: 'requested',
    is_file_refused: true,
  });
  // The first link works like the one that was mailed now.
  expect((await submitLetter(link)).status).toBe(204);
  expect((await list())[0]).toMatchObject({ status: 'submitted', text: 'She is reliable.' });
  const waived = { to: 'approved', waive: ['reference_letters'], reason: 'One is enough.' };
  expect((await stage.officer.post(`/api/pnm/${pnm}/transition/`, waived)).status).toBe(200);
  expect(await scan(other)).toBe('infected');
  expect((await list())[1]).toMatchObject({ status: 'cancelled', has_file: false });
  expect((await submitLetter(second)).status).toBe(410);
});
