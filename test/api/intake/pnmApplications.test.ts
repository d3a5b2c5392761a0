/** Public applications: no typed contents are lost or overwritten by others, and no answer reveals whether an address is known. */
import { config } from '../../../config.js';
import { during } from '../../support/during.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aTerm } from '../../support/world.js';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { readStages } from '../../../models/intake/pnm/readStages.js';
import { aStore } from '../../gateways/storage.support.js';
import { inviting } from '../organizations/invitations/invitations.support.js';
import { settleApplications } from './settling.support.js';

config.THROTTLE_LIMITS = {
  ...config.THROTTLE_LIMITS,
  pnm_submit_ip: 10_000,
  pnm_submit_email: 10_000,
  pnm_verify_email: 10_000,
};
const storage = aStore();
const stage = inviting();
const form = (rest = '', slug = stage.world.slug) => `/api/pnm/public/${slug}/${rest}`;
const settings = () => `/api/organizations/${stage.world.organizationId}/pnm-config/`;
const bodyOf = (email: string, more: object = {}) => ({
  email,
  first_name: 'Ada',
  last_name: 'Applicant',
  chapter: stage.world.chapterId,
  ...more,
});
const submit = (body: object) => stage.nobody.post(form('applications/'), body);
const confirm = (token: string) => stage.nobody.post(form('verify-email/'), { token });
const statusOf = async (token: string) => (await stage.nobody.get(form(`applications/${token}/`))).body;
/** Changes the settings of the form. */
async function ask(more: object) {
  const { status, body } = await stage.admin.put(settings(), more);
  expect([status, body]).toMatchObject([200, {}]);
}
const applications = (query = '') =>
  stage.officer.get(`/api/chapters/${stage.world.chapterId}/pnm-applications/${query}`);
const prospects = (email: string) =>
  asOwner<{ id: string; stage: string; status: string; membership_id: string; has_account: boolean }>(
    `SELECT p.id, p.stage, p.membership_id, m.status, u.placeholder_in IS NULL AS has_account
       FROM pnm_applications a JOIN pnm_profiles p ON p.id = a.profile_id JOIN memberships m ON m.id = p.membership_id
       JOIN users u ON u.id = m.user_id WHERE a.organization_id = $1 AND a.email = $2`,
    [stage.world.organizationId, email],
  );
/** Submits and confirms an application. @returns the applicant's token */
async function submitAndConfirm(email: string, more: object = {}): Promise<string> {
  const { status, body } = await submit(bodyOf(email, more));
  expect([status, body.status ?? body]).toEqual([202, 'unconfirmed']);
  expect((await confirm(await stage.mailbox.tokenFor(email))).status).toBe(204);
  return body.token;
}

let period: string;
let year = 2100;
async function open(more: object = {}): Promise<string> {
  const term = await aTerm(stage.world, (year += 1));
  const { id } = (
    await stage.admin.post(`/api/organizations/${stage.world.organizationId}/recruitment-periods/`, {
      term,
      name: 'Intake',
      opens_at: '2020-01-01T00:00:00.000Z',
      closes_at: '2100-01-01T00:00:00.000Z',
      ...more,
    })
  ).body;
  expect((await stage.admin.post(`/api/recruitment-periods/${id}/activate/`)).status).toBe(200);
  return id;
}
beforeAll(async () => {
  expect((await stage.nobody.get(form())).status).toBe(404);
  period = await open();
});

afterEach(async () => {
  const { questions } = (await stage.admin.get(settings())).body;
  await ask({ questions: questions.map((one: object) => ({ ...one, is_archived: true })) });
});

test('the public form shows its settings, and an organization without a recruitment period has no form', async () => {
  expect((await stage.nobody.get(form())).body).toMatchObject({ is_open: true, period: 'Intake', verify_email: true });
  expect((await stage.nobody.get(form('', stage.other.slug))).status).toBe(404);
  expect((await stage.nobody.get(form('', 'nowhere'))).status).toBe(404);
  expect((await stage.nobody.get(form('chapters/'))).body).toContainEqual(
    expect.objectContaining({ id: stage.world.chapterId }),
  );
  expect((await stage.member.get(settings())).status).toBe(403);
  expect((await stage.officer.put(settings(), {})).status).toBe(403);
  expect((await stage.admin.get(settings())).body).toMatchObject({ questions: [], verify_email: true });
});

test('an invalid application is refused with all errors at their fields, and its draft stays unchanged', async () => {
  const questions = [
    { key: 'why', label: 'Why?', type: 'long', is_required: true, minimum: 10 },
    { key: 'days', label: 'Which days?', type: 'multiple', options: ['Mon', 'Tue'], maximum: 1 },
    { key: 'shirt', label: 'Shirt?', type: 'single', options: ['S', 'M'] },
    { key: 'hours', label: 'Hours?', type: 'number', minimum: 1, maximum: 10 },
    { key: 'since', label: 'Since?', type: 'date' },
    { key: 'drives', label: 'Drives?', type: 'yes_no' },
  ];
  await ask({ questions, required_fields: ['phone_number'], minimum_gpa: 3 });
  const contents = {
    email: 'nobody',
    first_name: ' ',
    gpa: 4.5,
    birth_date: '1850-01-01',
    answers: {
      why: 'short',
      days: ['Mon', 'Tue'],
      shirt: 'XL',
      hours: 11,
      since: 'today',
      drives: 'yes',
      color: 'red',
    },
  };
  const { body: draft } = await stage.nobody.post(form('drafts/'), { contents });
  const { status, body } = await stage.nobody.post(form(`drafts/${draft.token}/submit/`), undefined);
  expect([status, Object.keys(body.errors).toSorted()]).toEqual([
    400,
    ['why', 'days', 'shirt', 'hours', 'since', 'drives', 'color']
      .map((key) => `answers.${key}`)
      .concat('birth_date', 'chapter', 'email', 'first_name', 'gpa', 'last_name', 'phone_number')
      .toSorted(),
  ]);
  expect((await stage.nobody.get(form(`drafts/${draft.token}/`))).body).toMatchObject({ contents, is_sent: false });
  expect((await stage.nobody.get(form(`drafts/${draft.token}/`, stage.other.slug))).status).toBe(404);
  expect(
    (await stage.nobody.put(form(`drafts/${draft.token}/`), { contents: { gpa: 'four' } })).body.errors,
  ).toHaveProperty(['contents.gpa']);
  const long = { answers: Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`a${n}`, 'x'.repeat(15_000)])) };
  expect((await stage.nobody.put(form(`drafts/${draft.token}/`), { contents: long })).status).toBe(413);
  // A question that was asked once cannot be removed.
  expect((await stage.admin.put(settings(), { questions: questions.slice(1) })).body.errors).toHaveProperty(
    'questions',
  );
  const archived = questions.map((one) => (one.key === 'why' ? { ...one, is_archived: true } : one));
  await ask({ questions: archived });
  expect((await stage.nobody.get(form('questions/'))).body.map(({ key }: { key: string }) => key)).not.toContain('why');
});

test('names with control or invisible characters are refused, and invisible text counts as empty', async () => {
  const errorsOf = async (more: object) => (await submit(bodyOf(stage.address(), more))).body.errors;
  for (const name of [
    'Ada\r\nBcc: x',
    'Ada\u0000',
    'Ada\tA',
    'Ada\u2028A',
    '\u200b\u2060',
    '\u3164',
    'Ada\u202eadA',
    'Ada\u2066A',
  ])
    expect(Object.keys((await errorsOf({ last_name: name })) ?? {})).toContain('last_name');
  const configured = (await stage.admin.get(settings())).body.questions;
  const questions = [...configured, { key: 'sponsor', label: 'Who sent you?', type: 'short', is_required: true }];
  await ask({ questions, required_fields: ['phone_number', 'degree_type'] });
  const blank = { phone_number: '\u200b', degree_type: ' \n\u2800', answers: { sponsor: '\u3164 ' } };
  expect(await errorsOf(blank)).toEqual({
    phone_number: ['This is needed.'],
    degree_type: ['This is needed.'],
    'answers.sponsor': ['This is needed.'],
  });
  const referee = { name: 'Dr.\nFirst', email: stage.address(), relation: 'Teacher\u202e' };
  await ask({ questions, reference_letters: 1 });
  expect(Object.keys(await errorsOf({ answers: { sponsor: 'Sam' }, referees: [referee] })).toSorted()).toEqual([
    'referees.0.name',
    'referees.0.relation',
  ]);
  await ask({ questions });
});

test('a draft submitted ten times is one application, whose answers keep the wording of their questions', async () => {
  const configured = (await stage.admin.get(settings())).body.questions;
  await ask({ questions: [...configured, { key: 'pet', label: 'Any pet?', type: 'short' }] });
  const email = stage.address();
  const contents = bodyOf(email, { birth_date: '2005-04-12', answers: { pet: 'A cat', why: 'It was asked before.' } });
  const { token } = (await stage.nobody.post(form('drafts/'), { contents })).body;
  const send = () => stage.nobody.post(form(`drafts/${token}/submit/`), undefined);
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.token} ${body.status}`))).toEqual(
    new Set([`202 ${token} unconfirmed`]),
  );
  expect((await stage.nobody.put(form(`drafts/${token}/`), { contents: {} })).body.code).toBe('application_sent');
  expect(await statusOf(token)).toMatchObject({ status: 'unconfirmed', can_withdraw: true });
  expect((await applications(`?search=${encodeURIComponent(email)}`)).body.count).toBe(0);
  const mailed = await stage.mailbox.tokenFor(email);
  expect((await stage.mailbox.to(email)).length).toBe(1);
  const confirmed = await Promise.all(Array.from({ length: 10 }, () => confirm(mailed)));
  expect(confirmed.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
  const [prospect, ...others] = await prospects(email);
  expect([prospect, others]).toEqual([
    expect.objectContaining({ stage: 'not_started', status: 'pnm', has_account: false }),
    [],
  ]);
  expect(await statusOf(token)).toMatchObject({ status: 'received' });
  await ask({ questions: [...configured, { key: 'pet', label: 'Which pet?', type: 'short' }] });
  expect((await stage.officer.get(`/api/pnm/${prospect?.id}/application/`)).body).toMatchObject({
    is_proven: true,
    answers: [{ key: 'pet', label: 'Any pet?', answer: 'A cat' }],
    versions: [{ is_current: true }],
  });
  expect((await stage.officer.get(`/api/pnm/${prospect?.id}/`)).body).toMatchObject({ birth_date: '2005-04-12' });
  expect((await stage.member.get(`/api/pnm/${prospect?.id}/application/`)).status).toBe(403);
  expect(
    await asOwner('SELECT recipient_id FROM notifications WHERE notification_type = $1 AND recipient_id = $2', [
      'pnm_application_received',
      stage.world.officer.userId,
    ]),
  ).not.toEqual([]);
});

test('a later application for an address counts only after its own confirmation, and not once review has begun', async () => {
  const email = stage.address();
  const first = await submitAndConfirm(email, { year_in_college: 'Second', honors_achievements: 'Some' });
  const later = await submit(bodyOf(email, { year_in_college: 'Third', first_name: 'Mallory' }));
  expect(later.body.status).toBe('unconfirmed');
  const [prospect] = await prospects(email);
  const profile = async () => (await stage.officer.get(`/api/pnm/${prospect?.id}/`)).body;
  expect(await profile()).toMatchObject({ year_in_college: 'Second' });
  // A person who types the address of another learns nothing of their application.
  expect(await statusOf(later.body.token)).toMatchObject({ status: 'unconfirmed' });
  expect((await confirm(await stage.mailbox.tokenFor(email))).status).toBe(204);
  expect(await profile()).toMatchObject({ year_in_college: 'Third', honors_achievements: null });
  expect((await stage.officer.get(`/api/pnm/${prospect?.id}/application/`)).body.versions).toHaveLength(2);
  expect(await statusOf(first)).toMatchObject({ status: 'received' });
  await submit(bodyOf(email, { year_in_college: 'Fourth' }));
  const late = await stage.mailbox.tokenFor(email);
  await stage.officer.post(`/api/pnm/${prospect?.id}/transition/`, { to: 'approved' });
  expect((await confirm(late)).body.code).toBe('application_closed');
  expect(await profile()).toMatchObject({ year_in_college: 'Third', stage: 'approved' });
  expect(await statusOf(first)).toMatchObject({ status: 'approved', can_withdraw: true });
});

test('an application of a current member is flagged, and all applicants see the same answers', async () => {
  const emails = await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [stage.world.member.userId]);
  const memberEmail = emails[0]?.email as string;
  const [elsewhere] = await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    stage.other.member.userId,
  ]);
  const answers = [];
  for (const email of [memberEmail, elsewhere?.email as string, stage.address()]) {
    const { status, body } = await submit(bodyOf(email));
    answers.push([status, { ...body, token: '' }]);
    expect((await confirm(await stage.mailbox.tokenFor(email))).status).toBe(204);
    answers.push(await statusOf(body.token).then((one) => ({ ...one, submitted_at: '' })));
  }
  expect(new Set(answers.map((one) => JSON.stringify(one))).size).toBe(2);
  expect((await applications('?flagged=true')).body.results).toContainEqual(
    expect.objectContaining({ email: memberEmail, standing: 'already_member', pnm: null }),
  );
  // The address is confirmed, so its account from another organization becomes the prospect.
  expect(await prospects(elsewhere?.email as string)).toEqual([
    expect.objectContaining({ status: 'pnm', has_account: true }),
  ]);
});

test('without mail confirmation an unknown address counts at once, and a known one waits with the same answers', async () => {
  const { body: before } = await stage.admin.get(settings());
  await ask({ questions: before.questions, verify_email: false });
  const fresh = stage.address();
  const [elsewhere] = await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    stage.other.officer.userId,
  ]);
  const [responses, tokens]: [object[], string[]] = [[], []];
  for (const email of [fresh, elsewhere?.email as string]) {
    const { status, body } = await submit(bodyOf(email));
    tokens.push(body.token);
    await settleApplications();
    const file = await attach(`applications/${body.token}`, 'resume', PDF);
    responses.push({ status, file, ...body, token: '', shown: { ...(await statusOf(body.token)), submitted_at: '' } });
  }
  expect(responses[0]).toEqual(responses[1]);
  expect(responses[0]).toMatchObject({ file: { status: 201 }, shown: { attachments: ['resume'] } });
  expect([(await prospects(fresh)).length, (await prospects(elsewhere?.email as string)).length]).toEqual([1, 0]);
  expect((await applications('?unverified=true')).body.results.map(({ email }: { email: string }) => email)).toEqual([
    fresh,
  ]);
  // A second application for the same address does not count, and its sender learns nothing of the first.
  const other = (await submit(bodyOf(fresh, { year_in_college: 'Other' }))).body.token;
  await settleApplications();
  expect((await applications('?unverified=true')).body.results).toHaveLength(1);
  expect(await statusOf(other)).toMatchObject({ status: 'received' });
  const withdrawn = [];
  for (const email of [stage.address(), elsewhere?.email as string]) {
    const at = `applications/${(await submit(bodyOf(email))).body.token}/`;
    await settleApplications();
    const [first, again] = [await withdraw(at), await withdraw(at)];
    await settleApplications();
    const shown = { ...(await stage.nobody.get(form(at))).body, submitted_at: '' };
    const file = await attach(at.slice(0, -1), 'resume', PDF);
    const erasure = [await withdraw(at, { erase: true }), (await stage.nobody.get(form(at))).status];
    withdrawn.push({ first, again, shown, file, erasure });
  }
  expect(withdrawn[0]).toEqual(withdrawn[1]);
  expect(withdrawn[0]).toMatchObject({
    first: 204,
    shown: { status: 'withdrawn' },
    file: { status: 409 },
    erasure: [204, 404],
  });
  // An application that races with the closing of the period is refused.
  const [late, early, withdrawn_early] = [stage.address(), stage.address(), stage.address()];
  for (const email of [early, withdrawn_early]) tokens.push((await submit(bodyOf(email))).body.token);
  const [refused] = await during(
    `UPDATE recruitment_periods SET status = 'closed' WHERE id = $1`,
    [period],
    [() => submit(bodyOf(late))],
  );
  expect(refused?.body.code).toBe('intake_closed');
  expect(await prospects(late)).toEqual([]);
  // An application that no worker counted in time counts when the period is reopened, unless it was withdrawn.
  expect(await withdraw(`applications/${tokens.pop()}/`)).toBe(204);
  await settleApplications();
  expect([await prospects(early), await waiting()]).toEqual([[], [{ wants: 'counted' }]]);
  await asOwner(`UPDATE recruitment_periods SET status = 'active' WHERE id = $1`, [period]);
  await settleApplications();
  expect([(await prospects(early)).length, await prospects(withdrawn_early), await waiting()]).toEqual([1, [], []]);
  for (const one of tokens) expect(await withdraw(`applications/${one}/`, { erase: true })).toBe(204);
  await settleApplications();
});
const waiting = () => asOwner('SELECT wants FROM pnm_application_versions WHERE wants IS NOT NULL');
const withdraw = async (at: string, body = {}) => (await stage.nobody.post(form(`${at}withdraw/`), body)).status;

test('a withdrawn application can be sent again, and an erased one leaves no personal data', async () => {
  const email = stage.address();
  const token = await submitAndConfirm(email, { birth_date: '2004-01-01' });
  expect((await stage.nobody.post(form(`applications/${token}/withdraw/`), {})).status).toBe(204);
  expect((await stage.nobody.post(form(`applications/${token}/withdraw/`), {})).status).toBe(204);
  expect(await statusOf(token)).toMatchObject({ status: 'withdrawn', can_withdraw: false });
  expect(await prospects(email)).toEqual([expect.objectContaining({ stage: 'withdrawn', status: 'inactive' })]);
  const again = await submitAndConfirm(email, { last_name: 'Vanishing' });
  const readNotices = () => asOwner(`SELECT FROM notifications t WHERE to_jsonb(t)::text LIKE '%Vanishing%'`);
  expect(await readNotices()).not.toEqual([]);
  const [prospect] = await prospects(email);
  expect(prospect).toMatchObject({ stage: 'not_started', status: 'pnm' });
  expect(await inTenant(stage.world.organizationId, () => readStages(prospect?.id as string))).toMatchObject([
    { stage: 'withdrawn', reason: 'Withdrawn by the applicant.', by: null },
    { stage: 'not_started' },
  ]);
  expect((await stage.nobody.post(form(`applications/${again}/withdraw/`), { erase: true })).status).toBe(204);
  expect((await stage.nobody.get(form(`applications/${again}/`))).status).toBe(404);
  for (const table of ['pnm_applications', 'pnm_profiles', 'users', 'account_notices', 'audit_values'])
    expect([table, await asOwner(`SELECT FROM ${table} t WHERE to_jsonb(t)::text LIKE $1`, [`%${email}%`])]).toEqual([
      table,
      [],
    ]);
  expect(await asOwner('SELECT FROM pnm_profiles WHERE id = $1', [prospect?.id])).toEqual([]);
  expect(await readNotices()).toEqual([]);
});

test('a grade point average below the minimum is flagged, or refused if the organization chose that', async () => {
  const { questions } = (await stage.admin.get(settings())).body;
  await ask({ questions, minimum_gpa: 3 });
  const email = stage.address();
  await submitAndConfirm(email, { gpa: 2.9 });
  const [{ id } = { id: '' }] = await prospects(email);
  const approve = (more: object) => stage.officer.post(`/api/pnm/${id}/transition/`, { to: 'approved', ...more });
  expect((await stage.officer.get(`/api/pnm/${id}/`)).body.problems).toEqual(['below_minimum_gpa']);
  for (const query of ['flagged=true', 'missing=true', 'unverified=false'])
    expect(
      (await stage.officer.get(`/api/chapters/${stage.world.chapterId}/pnm/?${query}`)).body.results,
    ).toContainEqual(expect.objectContaining({ id }));
  expect(await approve({})).toMatchObject({
    status: 409,
    body: { code: 'intake_not_ready', errors: { below_minimum_gpa: [expect.any(String)] } },
  });
  expect((await approve({ waive: ['unverified'], reason: 'Fine.' })).body.code).toBe('intake_not_ready');
  expect((await approve({ waive: ['below_minimum_gpa'] })).body.errors).toHaveProperty('reason');
  const many = { ids: [id], to: 'approved', notify_applicant: true };
  expect(
    (await stage.officer.post(`/api/chapters/${stage.world.chapterId}/pnm/bulk-transition/`, many)).body[0].error,
  ).toMatchObject({ code: 'intake_not_ready', errors: { below_minimum_gpa: [expect.any(String)] } });
  // An application that is confirmed meanwhile waits for the lock of the decision and is then refused.
  await submit(bodyOf(email, { gpa: 2.8 }));
  const another = await stage.mailbox.tokenFor(email);
  const [{ membership_id } = { membership_id: '' }] = await prospects(email);
  const [approved, late] = await during(
    'SELECT FROM memberships WHERE id = $1 FOR UPDATE',
    [membership_id],
    [() => approve({ waive: ['below_minimum_gpa'], reason: 'A hard year.' }), () => confirm(another)],
  );
  expect(approved?.body).toMatchObject({ stage: 'approved', problems: [] });
  expect(late?.body.code).toBe('application_closed');
  expect((await stage.officer.get(`/api/pnm/${id}/application/`)).body).toMatchObject({
    waived: ['below_minimum_gpa'],
    waiver_reason: 'A hard year.',
  });
  expect((await applications(`?search=${encodeURIComponent(email)}`)).body.results).toMatchObject([
    { below_minimum_gpa: true },
  ]);
  await ask({ questions, minimum_gpa: 3, gpa_gate: 'refuse' });
  expect(await submit(bodyOf(stage.address(), { gpa: 2.99 }))).toMatchObject({
    status: 422,
    body: { code: 'gpa_below_minimum' },
  });
  expect((await submit(bodyOf(stage.address(), { gpa: 3 }))).status).toBe(202);
});

test('an officer may have an approval mailed to the applicant, but no other decision', async () => {
  const [notified, unnotified] = [stage.address(), stage.address()];
  const approved = async (email: string, more: object) => {
    await submitAndConfirm(email);
    const [{ id } = { id: '' }] = await prospects(email);
    return stage.officer.post(`/api/pnm/${id}/transition/`, { to: 'approved', ...more });
  };
  const mails = (email: string) =>
    asOwner("SELECT facts FROM account_notices WHERE kind = 'application_approved' AND email = $1", [email]);
  expect((await approved(notified, { notify_applicant: true })).status).toBe(200);
  expect((await approved(unnotified, {})).status).toBe(200);
  expect(await mails(notified)).toEqual([{ facts: { organization: expect.any(String), chapter: expect.any(String) } }]);
  expect(await mails(unnotified)).toEqual([]);
  const [{ id } = { id: '' }] = await prospects(notified);
  const move = { to: 'rejected', reason: 'x', notify_applicant: true };
  expect((await stage.officer.post(`/api/pnm/${id}/transition/`, move)).body.errors).toHaveProperty('notify_applicant');
});

test('application notices of a chapter without officers go to the admins', async () => {
  const chapter = stage.world.otherChapterId;
  const audience = () =>
    asOwner<{ user_id: string }>(`SELECT user_id FROM app.application_audience($1, $2, 'application_received')`, [
      stage.world.organizationId,
      chapter,
    ]);
  expect(await audience()).toEqual([{ user_id: stage.world.otherOfficer.userId }]);
  await asOwner("UPDATE memberships SET status = 'inactive', role = 'member' WHERE id = $1", [
    stage.world.otherOfficer.membershipId,
  ]);
  expect(await audience()).toEqual([{ user_id: stage.world.admin.userId }]);
  // A route may have addresses only, and then notifies no user.
  const { questions } = (await stage.admin.get(settings())).body;
  const route = { event: 'application_received', roles: [], addresses: [stage.address()] };
  await ask({ questions, notification_routing: [route] });
  expect(await audience()).toEqual([]);
  await ask({ questions, notification_routing: [] });
});

test('an application needs the published consents with a typed name', async () => {
  const templates = `/api/organizations/${stage.world.organizationId}/consent-templates/`;
  const { id } = (
    await stage.admin.post(templates, {
      audience: 'applicants',
      title: 'Rules',
      body_text: 'Be kind.',
      method: 'typed_name',
    })
  ).body;
  await stage.admin.post(`${templates}${id}/publish/`, {});
  const { questions } = (await stage.admin.get(settings())).body;
  await ask({ questions, consents: [id] });
  const [configured] = (await stage.nobody.get(form('consents/'))).body;
  expect(configured).toMatchObject({ template: id, title: 'Rules', version: 1 });
  const email = stage.address();
  expect((await submit(bodyOf(email))).body.errors).toHaveProperty([`consents.${id}`]);
  const agreed = { template: id, version: 1, text_hash: configured.text_hash };
  expect((await submit(bodyOf(email, { consents: [agreed] }))).body.errors).toHaveProperty([`consents.${id}`]);
  await submitAndConfirm(email, { consents: [{ ...agreed, typed_name: 'Ada' }] });
  const [prospect] = await prospects(email);
  expect((await stage.officer.get(`/api/pnm/${prospect?.id}/application/`)).body.consents).toMatchObject([
    { template: id, version: 1, typed_name: 'Ada' },
  ]);
  expect(
    (await stage.admin.put(settings(), { questions, consents: [crypto.randomUUID()] })).body.errors,
  ).toHaveProperty(['consents.0']);
});

test('the throttle counts an address for valid forms only, and a 429 leaves the draft unchanged', async () => {
  const limits = config.THROTTLE_LIMITS;
  config.THROTTLE_LIMITS = { ...limits, pnm_submit_email: 1 };
  const email = stage.address();
  const contents = bodyOf(email);
  expect((await submit({ ...contents, chapter: '' })).status).toBe(400);
  expect((await submit(contents)).status).toBe(202);
  const { token } = (await stage.nobody.post(form('drafts/'), { contents })).body;
  const refused = await stage.nobody.post(form(`drafts/${token}/submit/`), undefined);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect((await stage.nobody.get(form(`drafts/${token}/`))).body).toMatchObject({ contents, is_sent: false });
  config.THROTTLE_LIMITS = limits;
  expect((await stage.nobody.post(form(`drafts/${token}/submit/`), undefined)).status).toBe(202);
});

test('the link of a draft is mailed, and an expired draft is deleted', async () => {
  const email = stage.address();
  const { token } = (await stage.nobody.post(form('drafts/'), { contents: { email } })).body;
  expect((await stage.nobody.post(form(`drafts/${token}/send-link/`), undefined)).status).toBe(202);
  expect(await stage.mailbox.tokenFor(email)).toBe(token);
  await asOwner("UPDATE pnm_drafts SET expires_at = now() WHERE contents ->> 'email' = $1", [email]);
  expect((await stage.nobody.get(form(`drafts/${token}/`))).status).toBe(404);
  await removeNextFiles();
  expect(await asOwner("SELECT FROM pnm_drafts WHERE contents ->> 'email' = $1", [email])).toEqual([]);
});

test('an application that is never confirmed is erased, and confirmed versions stay', async () => {
  const [never, answered] = [stage.address(), stage.address()];
  await submit(bodyOf(never));
  await submitAndConfirm(answered);
  await submit(bodyOf(answered, { last_name: 'Overwriter' }));
  const readVersions = (email: string) =>
    asOwner<{ last_name: string }>(
      `SELECT v.contents -> 'person' ->> 'last_name' AS last_name FROM pnm_applications a
         JOIN pnm_application_versions v ON v.application_id = a.id WHERE a.email = $1 ORDER BY v.id`,
      [email],
    );
  await removeNextFiles();
  expect([(await readVersions(never)).length, (await readVersions(answered)).length]).toEqual([1, 2]);
  await asOwner("UPDATE pnm_application_versions SET confirm_until = now() WHERE state = 'pending'");
  await asOwner(
    "UPDATE pnm_applications SET created_at = created_at - interval '49 hours' WHERE state = 'unconfirmed'",
  );
  await removeNextFiles();
  expect(await readVersions(answered)).toEqual([{ last_name: 'Applicant' }]);
  expect(await asOwner('SELECT FROM pnm_applications WHERE email = $1', [never])).toEqual([]);
});

test('the list of applications takes the same number of statements for few and for many', async () => {
  const count = () => countStatements(() => applications('?page_size=100'));
  const few = await count();
  await asOwner(
    `INSERT INTO pnm_applications (organization_id, recruitment_period_id, chapter_id, email, first_name, last_name, state, received_at)
     SELECT $1, $2, $3, 'many' || n || '@example.org', 'Many', 'Of them', 'received', now() FROM generate_series(1, 60) n`,
    [stage.world.organizationId, period, stage.world.chapterId],
  );
  expect(await count()).toEqual(few);
});

test('a rejected applicant can apply again in the next period, and a closed form shows its own message', async () => {
  const email = stage.address();
  const before = await submitAndConfirm(email, { year_in_college: 'First' });
  const [prospect] = await prospects(email);
  await stage.officer.post(`/api/pnm/${prospect?.id}/transition/`, { to: 'rejected', reason: 'Too early.' });
  expect(await statusOf(before)).toMatchObject({ status: 'rejected' });
  await submit(bodyOf(email));
  expect((await confirm(await stage.mailbox.tokenFor(email))).body.code).toBe('application_closed');
  await stage.admin.patch(`/api/recruitment-periods/${period}/`, { closed_message: 'Back in spring.' });
  await asOwner("UPDATE recruitment_periods SET status = 'closed' WHERE id = $1", [period]);
  expect((await stage.nobody.get(form())).body).toMatchObject({ is_open: false, closed_message: 'Back in spring.' });
  expect(await submit(bodyOf(email))).toMatchObject({
    status: 409,
    body: { code: 'intake_closed', detail: 'Back in spring.' },
  });
  await open();
  await submitAndConfirm(email, { year_in_college: 'Second' });
  expect((await prospects(email)).map(({ id, stage: at, status }) => [id, at, status])).toEqual([
    [prospect?.id, 'not_started', 'pnm'],
    [prospect?.id, 'not_started', 'pnm'],
  ]);
});

const attach = async (path: string, kind: string, content: Buffer, name = 'file') => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(content)]), name);
  const answer = await fetch(`${stage.api.url}${form(`${path}/attachments/?kind=${kind}`)}`, { method: 'POST', body });
  return { status: answer.status, body: await answer.json() };
};
const PDF = Buffer.from('%PDF-1.7 a resume');
const files = () =>
  asOwner<{ status: string; purpose: string }>(
    `SELECT status, purpose FROM stored_files WHERE organization_id = $1 AND purpose LIKE 'pnm%' ORDER BY id`,
    [stage.world.organizationId],
  );

test('files of a draft move to the application, are read by officers, and are deleted with it', async () => {
  const configured = [
    { kind: 'resume', is_required: true },
    { kind: 'transcript', is_required: true },
  ];
  const { questions } = (await stage.admin.get(settings())).body;
  await ask({ questions, attachments: configured });
  const email = stage.address();
  const { token } = (await stage.nobody.post(form('drafts/'), { contents: bodyOf(email) })).body;
  expect(await attach(`drafts/${token}`, 'resume', PDF, 'mine.pdf')).toMatchObject({
    status: 201,
    body: { kind: 'resume', name: 'mine.pdf', media_type: 'application/pdf' },
  });
  // Contents of a type that is not allowed are refused under any file name.
  const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(800), Buffer.from('xl/workbook.xml')]);
  for (const content of [Buffer.from('<script>'), zip, Buffer.from('RIFF1234WAVE'), Buffer.alloc(0)])
    expect((await attach(`drafts/${token}`, 'cover_letter', content, 'a.pdf')).status).toBe(400);
  const docx = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(800), Buffer.from('word/document.xml')]);
  expect((await attach(`drafts/${token}`, 'cover_letter', docx)).body.media_type).toContain('wordprocessingml');
  expect(
    (await attach(`drafts/${token}`, 'cover_letter', Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]))).status,
  ).toBe(413);
  expect((await attach('drafts/unknown', 'resume', PDF)).status).toBe(404);
  await stage.nobody.post(form(`drafts/${token}/submit/`), undefined);
  expect(await statusOf(token)).toMatchObject({ attachments: ['cover_letter', 'resume'], missing: ['transcript'] });
  expect((await confirm(await stage.mailbox.tokenFor(email))).status).toBe(204);
  const [{ id } = { id: '' }] = await prospects(email);
  expect((await stage.officer.get(`/api/pnm/${id}/`)).body.problems).toEqual(['attachment_transcript']);
  expect((await attach(`applications/${token}`, 'transcript', PDF)).status).toBe(201);
  expect((await attach(`applications/${token}`, 'resume', PDF, 'newer.pdf')).status).toBe(201);
  const { attachments } = (await stage.officer.get(`/api/pnm/${id}/application/`)).body;
  expect(attachments.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
    ['cover_letter', 'file'],
    ['resume', 'newer.pdf'],
    ['transcript', 'file'],
  ]);
  const [{ id: file }] = attachments;
  const download = (by: { token: string }) =>
    fetch(`${stage.api.url}/api/pnm/${id}/attachments/${file}/`, {
      headers: { Authorization: `Bearer ${by.token}` },
      redirect: 'manual',
    });
  const got = await download(stage.world.officer);
  expect(got.status).toBe(302);
  expect(Buffer.from(await (await fetch(got.headers.get('location') as string)).arrayBuffer())).toEqual(docx);
  expect((await download(stage.world.member)).status).toBe(403);
  expect((await download(stage.other.admin)).status).toBe(404);
  const packetFor = (by: { token: string }) =>
    fetch(`${stage.api.url}/api/pnm/${id}/packet.zip`, { headers: { Authorization: `Bearer ${by.token}` } });
  const packed = await packetFor(stage.world.officer);
  expect([packed.status, packed.headers.get('content-type'), packed.headers.get('x-content-type-options')]).toEqual([
    200,
    'application/zip',
    'nosniff',
  ]);
  const zipped = Buffer.from(await packed.arrayBuffer());
  for (const inside of ['application.pdf', 'cover_letter', 'resume.pdf', 'transcript'])
    expect(zipped.includes(inside)).toBe(true);
  expect(zipped.includes(docx)).toBe(true);
  // A partial or missing file breaks the archive, so that no incomplete archive looks complete.
  const [stored] = await asOwner<{ id: string }>(
    "SELECT id FROM stored_files WHERE organization_id = $1 AND name = 'newer.pdf'",
    [stage.world.organizationId],
  );
  const key = `${stage.world.organizationId}/${stored?.id}`;
  await storage.objects.put(key, Readable.from(['%PDF']), null);
  const short = await packetFor(stage.world.officer);
  expect(short.status).toBe(200);
  await expect(short.arrayBuffer()).rejects.toThrow();
  storage.objects.remove(key);
  expect((await packetFor(stage.world.officer)).status).toBe(503);
  await storage.objects.put(key, Readable.from([PDF]), null);
  expect((await (await packetFor(stage.world.officer)).arrayBuffer()).byteLength).toBeGreaterThan(1000);
  expect((await packetFor(stage.world.member)).status).toBe(403);
  expect((await packetFor(stage.other.admin)).status).toBe(404);
  expect((await stage.officer.post(`/api/pnm/${id}/transition/`, { to: 'approved' })).status).toBe(200);
  expect((await stage.nobody.post(form(`applications/${token}/withdraw/`), { erase: true })).status).toBe(204);
  expect(new Set((await files()).map(({ status }) => status))).toEqual(new Set(['removing']));
  await asOwner("UPDATE stored_files SET created_at = now() - interval '2 hours' WHERE purpose LIKE 'pnm%'");
  await removeNextFiles();
  expect(await files()).toEqual([]);
  expect(storage.url).toBeTruthy();
});

test('a headshot is encoded again, without the metadata of the photo', async () => {
  const picture = await sharp({ create: { width: 1500, height: 600, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Model: 'Telltale 5000' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
    .png()
    .toBuffer();
  expect((await sharp(picture).metadata()).exif).toBeDefined();
  const email = stage.address();
  const { token } = (await stage.nobody.post(form('drafts/'), { contents: bodyOf(email) })).body;
  expect(await attach(`drafts/${token}`, 'headshot', picture)).toMatchObject({
    status: 201,
    body: { media_type: 'image/jpeg' },
  });
  expect((await attach(`drafts/${token}`, 'headshot', PDF)).status).toBe(400);
  const broken = Buffer.concat([picture.subarray(0, 300), Buffer.alloc(3000, 1)]);
  expect((await attach(`drafts/${token}`, 'headshot', broken)).body.errors).toHaveProperty('file');
  const huge = Buffer.concat([picture.subarray(0, 16), Buffer.from('00002aa800002aa8', 'hex'), picture.subarray(24)]);
  expect(await attach(`drafts/${token}`, 'headshot', huge)).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { file: [expect.stringContaining('too large: at most 50 megapixels')] } },
  });
  await stage.nobody.post(form(`drafts/${token}/submit/`), undefined);
  await confirm(await stage.mailbox.tokenFor(email));
  const [{ id } = { id: '' }] = await prospects(email);
  const [{ id: file }] = (await stage.officer.get(`/api/pnm/${id}/application/`)).body.attachments;
  const got = await fetch(`${stage.api.url}/api/pnm/${id}/attachments/${file}/`, {
    headers: { Authorization: `Bearer ${stage.world.officer.token}` },
    redirect: 'manual',
  });
  const image = Buffer.from(await (await fetch(got.headers.get('location') as string)).arrayBuffer());
  const is = await sharp(image).metadata();
  expect([is.format, is.width, is.exif]).toEqual(['jpeg', 1024, undefined]);
  expect(image.includes('Telltale')).toBe(false);
});
