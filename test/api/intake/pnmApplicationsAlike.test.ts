/**
 * All applications look alike from outside: no answer or mail tells whether an address has an account, is or was a member's, or is
 * unknown. Applicants of all kinds make the same calls in step, and the test compares every answer and mail.
 */
import { config } from '../../../config.js';
import { spendingOnTarget } from '../../../api/http/throttles/spend.js';
import { publicApplicationRoutes } from '../../../api/intake/public/routes.js';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { newToken } from '../../../models/identity/secretTokens.js';
import { lockApplicationOwner } from '../../../models/intake/pnm-applications/attachments.js';
import { submitApplication } from '../../../models/intake/pnm-applications/submitApplication.js';
import { withdrawApplication } from '../../../models/intake/pnm-applications/withdrawApplication.js';
import { settleNextBatch, stopTurn } from '../../../models/intake/recruitment-periods/settleTurn.js';
import { aStore } from '../../gateways/storage.support.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aTerm } from '../../support/world.js';
import { countStatements } from '../../support/statements.js';
import { inviting } from '../organizations/invitations/invitations.support.js';
import { settleApplications } from './settling.support.js';

const many = ['pnm_submit_ip', 'pnm_submit_email', 'pnm_verify_email', 'pnm_attachment', 'pnm_form'] as const;
config.THROTTLE_LIMITS = {
  ...config.THROTTLE_LIMITS,
  ...Object.fromEntries(many.map((scope) => [scope, 100_000])),
};
aStore();
const stage = inviting();
const { world } = stage;

interface Applicant {
  email: string;
  referee: string;
  tokens: string[];
  /** The number of mails to this address before the test. */
  mailed: number;
}
const calledRoutes = new Set<string>();
let knownEmails: string[];
let applicants: Applicant[];
let period: string;

beforeAll(async () => {
  const term = await aTerm(world, 2101);
  const times = { opens_at: '2020-01-01T00:00:00.000Z', closes_at: '2100-01-01T00:00:00.000Z' };
  const periods = `/api/organizations/${world.organizationId}/recruitment-periods/`;
  period = (await stage.admin.post(periods, { term, name: 'Intake', ...times })).body.id;
  expect((await stage.admin.post(`/api/recruitment-periods/${period}/activate/`)).status).toBe(200);
  const settings = {
    questions: [],
    reference_letters: 2,
    attachments: [{ kind: 'transcript', is_required: true }],
  };
  expect((await stage.admin.put(`/api/organizations/${world.organizationId}/pnm-config/`, settings)).status).toBe(200);
  const people = [
    stage.other.member.userId,
    world.member.userId,
    (await aMember(world.organizationId, world.chapterId, 'member', 'inactive')).userId,
  ];
  const found = await asOwner<{ id: string; email: string }>('SELECT id, email FROM users WHERE id = ANY ($1)', [
    people,
  ]);
  knownEmails = people.map((id) => found.find((one) => one.id === id)?.email as string);
});

const requireProof = (verify_email: boolean) =>
  asOwner('UPDATE pnm_application_configs SET verify_email = $2 WHERE organization_id = $1', [
    world.organizationId,
    verify_email,
  ]);

/** Starts with one unused address and the addresses of an account elsewhere, a member and a former member. */
async function begin(): Promise<void> {
  applicants = [];
  for (const email of [stage.address(), ...knownEmails]) {
    const { length: mailed } = await stage.mailbox.to(email);
    applicants.push({ email, referee: stage.address(), tokens: [], mailed });
  }
}

/** Removes what differs between any two applicants. */
function plain(text: string, { email, referee, tokens }: Applicant): string {
  let same = text.replaceAll(email, '<email>').replaceAll(referee, '<referee>');
  for (const [n, token] of tokens.entries()) same = same.replaceAll(token, `<token ${n}>`);
  return same
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21,22}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
    .replaceAll(/\/verify\/[\w-]+#application=\S+/g, '/verify/<proof>');
}

type Call = [method: 'GET' | 'POST' | 'PUT', route: string, body?: object | undefined];

async function callAs(one: Applicant, [method, route, body]: Call) {
  calledRoutes.add(`${method} ${route}`);
  const token = one.tokens.at(-1) ?? '';
  const path = route.replace(':token', token);
  const isFile = body instanceof FormData;
  const answer = await fetch(`${stage.api.url}/api/pnm/public/${world.slug}${path}`, {
    method,
    ...(body && { body: isFile ? body : JSON.stringify(body) }),
    headers: isFile || !body ? {} : { 'Content-Type': 'application/json' },
  });
  const text = await answer.text();
  const issuedToken = /"token":"([\w-]+)"/.exec(text)?.[1];
  if (issuedToken && issuedToken !== token) one.tokens.push(issuedToken);
  const own = new Set(['date', 'x-request-id', 'content-length', 'etag', 'keep-alive']);
  const headers = [...answer.headers].filter(([name]) => !own.has(name) && !name.startsWith('ratelimit'));
  return { status: answer.status, body: plain(text, one), headers };
}

/** Makes the same call for each applicant and checks that all get the same answer. */
async function all(method: Call[0], route: string, bodyOf?: (one: Applicant) => object) {
  const answers = [];
  for (const one of applicants) answers.push(await callAs(one, [method, route, bodyOf?.(one)]));
  for (const answer of answers) expect([method, route, answer]).toEqual([method, route, answers[0]]);
  const { status, body = '' } = answers[0] ?? { status: 0 };
  return { status, body: body.startsWith('{') ? JSON.parse(body) : body };
}

const contents = ({ email, referee }: Applicant) => ({
  email,
  first_name: 'Ada',
  last_name: 'Applicant',
  chapter: world.chapterId,
  referees: [
    { name: 'First', email: referee },
    { name: 'Second', email: `second-${referee}` },
  ],
});
const file = () => {
  const form = new FormData();
  form.append('file', new Blob(['%PDF-1.7 a file']), 'a.pdf');
  return form;
};
const expectSameMails = async () => {
  const mails = [];
  for (const one of applicants)
    mails.push(
      (await stage.mailbox.to(one.email))
        .slice(one.mailed)
        .map(({ subject, text }) => plain(`${subject}\n${text}`, one)),
    );
  for (const some of mails) expect(some).toEqual(mails[0]);
};
const letters = () =>
  asOwner('SELECT FROM pnm_reference_letters WHERE email = ANY ($1)', [
    applicants.flatMap(({ referee }) => [referee, `second-${referee}`]),
  ]);

async function apply() {
  await all('POST', '/drafts/', () => ({ contents: {} }));
  await all('PUT', '/drafts/:token/', (one) => ({ contents: contents(one) }));
  await all('POST', '/drafts/:token/attachments/?kind=resume', file);
  await all('POST', '/drafts/:token/send-link/');
  await all('POST', '/drafts/:token/submit/');
  // Before and after a worker has settled the application.
  await all('GET', '/applications/:token/');
  await settleApplications();
  await all('POST', '/drafts/:token/submit/');
}

/** Withdraws all applications, reads them at once, and lets a worker settle them. */
async function withdraw(erase: boolean) {
  await all('POST', '/applications/:token/withdraw/', () => ({ erase }));
  await all('GET', '/applications/:token/');
  await all('GET', '/drafts/:token/');
  await settleApplications();
}

/** Makes every call that a link allows, except the withdrawal. */
async function look(): Promise<{ status: string }> {
  await all('GET', '/drafts/:token/');
  await all('PUT', '/drafts/:token/', () => ({ contents: {} }));
  await all('POST', '/drafts/:token/submit/');
  await all('POST', '/drafts/:token/attachments/?kind=resume', file);
  await all('POST', '/drafts/:token/send-link/');
  await all('POST', '/applications/:token/attachments/?kind=transcript', file);
  await all('POST', '/applications/:token/referees/', () => ({ name: 'Third', email: 'third@example.org' }));
  const { body } = await all('GET', '/applications/:token/');
  const [{ id: letter } = { id: crypto.randomUUID() }] = body.referees ?? [];
  await all('POST', '/applications/:token/referees/', () => ({
    name: 'Fourth',
    email: 'fourth@example.org',
    replaces: letter,
  }));
  await all('POST', '/verify-email/', () => ({ token: 'x'.repeat(43) }));
  expect((await all('GET', '/applications/:token/')).body).toEqual(body);
  await expectSameMails();
  return body;
}

/** Moves the prospect of the unused address through these stages; the other addresses have no prospect. */
async function decide(...stages: string[]): Promise<void> {
  const [{ id } = { id: '' }] = await asOwner<{ id: string }>(
    'SELECT profile_id AS id FROM pnm_applications WHERE email = $1',
    [applicants[0]?.email],
  );
  const waive = ['attachment_transcript', 'reference_letters', 'unverified'];
  for (const to of stages) {
    const more = { reason: 'Said so.', ...(to === 'approved' && { waive }) };
    const { status, body } = await stage.officer.post(`/api/pnm/${id}/transition/`, { to, ...more });
    expect([status, body]).toMatchObject([200, { stage: to }]);
  }
}

const OUTCOMES = [['rejected'], ['approved', 'in_progress', 'completed']].map((stages) => ({ stages }));
test.each(OUTCOMES)(
  'without mail confirmation all applications look alike, also after a decision: $stages',
  async ({ stages }) => {
    await begin();
    await requireProof(false);
    await apply();
    expect(await look()).toMatchObject({
      status: 'received',
      is_confirmed: false,
      attachments: ['resume', 'transcript'],
    });
    await decide(...stages);
    expect(await look()).toMatchObject({ status: 'received', referees: [], letters_missing: 2 });
    await requireProof(true);
    expect(await look()).toMatchObject({ status: 'received' });
    expect(await letters()).toEqual([]);
    // Another application is sent for the same address.
    await all('POST', '/applications/', contents);
    expect(await all('GET', '/applications/:token/')).toMatchObject({ body: { status: 'unconfirmed' } });
    await all('POST', '/applications/:token/withdraw/', () => ({ erase: true }));
    for (const one of applicants) one.tokens.pop();
    for (const erase of [false, false, true, true]) {
      await withdraw(erase);
      expect((await look()).status).toBe(erase ? undefined : 'withdrawn');
    }
    expect((await all('GET', '/applications/:token/')).status).toBe(404);
  },
);

const later = async (days: number) => {
  for (const [table, moment] of [
    ['pnm_application_versions', 'confirm_until'],
    ['pnm_application_versions', 'created_at'],
    ['pnm_drafts', 'expires_at'],
    ['pnm_applications', 'created_at'],
    ['recruitment_periods', 'turned_at'],
    ['recruitment_periods', 'links_ended_at'],
  ])
    await asOwner(`UPDATE ${table} SET ${moment} = ${moment} - $2 * interval '1 day' WHERE organization_id = $1`, [
      world.organizationId,
      days,
    ]);
};
const turn = async (rest: 'close' | 'reopen', follow: (turn: number) => Promise<unknown>) => {
  const path = `/api/recruitment-periods/${period}/${rest}/`;
  const { preview_hash } = rest === 'close' ? (await stage.admin.post(path, { dry_run: true })).body : {};
  const request = rest === 'close' ? { preview_hash } : { reason: 'Too early.' };
  expect((await stage.admin.post(path, request)).status).toBe(202);
  const [{ turn: n } = { turn: 0 }] = await asOwner<{ turn: number }>(
    'SELECT turn FROM recruitment_periods WHERE id = $1',
    [period],
  );
  await inTenant(world.organizationId, () => follow(n));
  return (await stage.admin.get(`/api/recruitment-periods/${period}/`)).body.is_settled;
};
const settle = (n: number) => settleNextBatch(period, n);
const stop = (n: number) => stopTurn(period, n);

test('all applications look alike through a closing, a stopped closing and a reopening after their links have ended', async () => {
  await begin();
  await requireProof(false);
  await apply();
  await later(3);
  await removeNextFiles();
  expect(await look()).toMatchObject({ status: 'received' });
  await later(60);
  await removeNextFiles();
  expect(await look()).toMatchObject({ status: 'received', attachments: ['resume', 'transcript'] });
  // A closing whose workflow was stopped is not settled, and the period says so.
  expect(await turn('close', stop)).toBe(false);
  expect(await look()).toMatchObject({ status: 'ended', can_withdraw: false });
  expect(await turn('reopen', settle)).toBe(true);
  expect(await look()).toMatchObject({ status: 'received' });
  expect(await turn('close', settle)).toBe(true);
  expect(await look()).toMatchObject({ status: 'ended' });
  await later(29);
  await removeNextFiles();
  expect(await look()).toMatchObject({ status: 'ended' });
  await later(2);
  expect((await all('GET', '/applications/:token/')).status).toBe(404);
  // No link works again, whether or not the waiting applications were erased before.
  expect(await turn('reopen', settle)).toBe(true);
  expect((await all('GET', '/applications/:token/')).status).toBe(404);
  await removeNextFiles();
  await look();
  await withdraw(false);
  await apply();
  await look();
  await withdraw(true);
});

test('without mail confirmation every call takes the same number of statements for each address', async () => {
  await begin();
  await requireProof(false);
  const id = world.organizationId;
  const to = { id, name: 'Any', slug: world.slug };
  const token = (one: Applicant) => one.tokens.at(-1) as string;
  const send = (one: Applicant) => {
    one.tokens.push(newToken());
    const spend = (email: string) => [spendingOnTarget('pnm_submit_email', email)];
    return submitApplication(to, contents(one), { token: token(one), spend });
  };
  const costs = async (work: (one: Applicant) => Promise<unknown>) => {
    const counts = [];
    for (const one of applicants) counts.push(await countStatements(() => inTenant(id, () => work(one))));
    await settleApplications();
    return new Set(counts);
  };
  // Three statements: BEGIN with the tenant, the form, and all writes with COMMIT.
  expect(await costs(send)).toEqual(new Set([3]));
  // A second application for an address that has one.
  expect(await costs(send)).toEqual(new Set([3]));
  for (const one of applicants) one.tokens.pop();
  await decide('approved');
  expect((await costs((one) => lockApplicationOwner(token(one)))).size).toBe(1);
  for (const erase of [false, false, true])
    expect(await costs((one) => withdrawApplication(token(one), { erase }))).toEqual(new Set([5]));
  expect(await asOwner('SELECT FROM pnm_applications WHERE email = $1', [applicants[0]?.email])).toEqual([]);
});

test('with mail confirmation all applications look alike until they are confirmed', async () => {
  await begin();
  await requireProof(true);
  await apply();
  expect(await look()).toMatchObject({ status: 'unconfirmed' });
  await requireProof(false);
  expect(await look()).toMatchObject({ status: 'unconfirmed' });
  await all('POST', '/applications/:token/withdraw/', () => ({}));
  expect(await look()).toMatchObject({ status: 'withdrawn' });
});

test('a confirmed application shows its decision and requests its letters', async () => {
  await begin();
  await requireProof(false);
  await apply();
  await decide();
  const [fresh] = applicants as [Applicant];
  const token = await stage.mailbox.tokenFor(fresh.email);
  expect(await callAs(fresh, ['POST', '/verify-email/', { token }])).toMatchObject({ status: 204 });
  expect(await callAs(fresh, ['POST', '/verify-email/', { token }])).toMatchObject({ status: 400 });
  expect(await letters()).toHaveLength(2);
  const shown = async () => JSON.parse((await callAs(fresh, ['GET', '/applications/:token/'])).body);
  expect(await shown()).toMatchObject({ status: 'received', is_confirmed: true, referees: [{ name: 'First' }, {}] });
  await decide('approved');
  expect(await shown()).toMatchObject({ status: 'approved' });
});

test('these tests call every public route that takes a token or an e-mail address', () => {
  const own = publicApplicationRoutes
    .map(({ method, path }) => `${method.toUpperCase()} ${path.replace('/api/pnm/public/:slug', '')}`)
    .filter((route) => !/^GET \/(?:$|chapters|questions|consents)/.test(route));
  const calledPaths = new Set([...calledRoutes].map((route) => route.replace(/\?.*/, '')));
  expect(own.filter((route) => !calledPaths.has(route))).toEqual([]);
});
