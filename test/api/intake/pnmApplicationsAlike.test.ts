/**
 * Outside all applications look alike: nobody, whoever types an address, is told whether it has an account, is or was a member's, or is
 * unknown. All of them are led through the same calls, in step, whatever happens inside meanwhile, and every answer and mail is compared.
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
  /** What it was mailed before. */
  mailed: number;
}
const walked = new Set<string>();
let known: string[];
let applicants: Applicant[];
let period: string;

beforeAll(async () => {
  const term = await aTerm(world, 2101);
  const times = { opens_at: '2020-01-01T00:00:00.000Z', closes_at: '2100-01-01T00:00:00.000Z' };
  const periods = `/api/organizations/${world.organizationId}/recruitment-periods/`;
  period = (await stage.admin.post(periods, { term, name: 'Intake', ...times })).body.id;
  expect((await stage.admin.post(`/api/recruitment-periods/${period}/activate/`)).status).toBe(200);
  const asked = {
    questions: [],
    reference_letters: 2,
    attachments: [{ kind: 'transcript', is_required: true }],
  };
  expect((await stage.admin.put(`/api/organizations/${world.organizationId}/pnm-config/`, asked)).status).toBe(200);
  const people = [
    stage.other.member.userId,
    world.member.userId,
    (await aMember(world.organizationId, world.chapterId, 'member', 'inactive')).userId,
  ];
  const found = await asOwner<{ id: string; email: string }>('SELECT id, email FROM users WHERE id = ANY ($1)', [
    people,
  ]);
  known = people.map((id) => found.find((one) => one.id === id)?.email as string);
});

const requireProof = (verify_email: boolean) =>
  asOwner('UPDATE pnm_application_configs SET verify_email = $2 WHERE organization_id = $1', [
    world.organizationId,
    verify_email,
  ]);

/** An unused address, and all that are known somewhere: elsewhere, a member, a former member. */
async function begin(): Promise<void> {
  applicants = [];
  for (const email of [stage.address(), ...known]) {
    const { length: mailed } = await stage.mailbox.to(email);
    applicants.push({ email, referee: stage.address(), tokens: [], mailed });
  }
}

/** Without what differs between any two. */
function plain(text: string, { email, referee, tokens }: Applicant): string {
  let same = text.replaceAll(email, '<email>').replaceAll(referee, '<referee>');
  for (const [n, token] of tokens.entries()) same = same.replaceAll(token, `<token ${n}>`);
  return same
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21,22}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<moment>')
    .replaceAll(/\/verify\/[\w-]+#application=\S+/g, '/verify/<proof>');
}

type Call = [method: 'GET' | 'POST' | 'PUT', route: string, body?: object | undefined];

async function seen(one: Applicant, [method, route, body]: Call) {
  walked.add(`${method} ${route}`);
  const token = one.tokens.at(-1) ?? '';
  const path = route.replace(':token', token);
  const isFile = body instanceof FormData;
  const answer = await fetch(`${stage.api.url}/api/pnm/public/${world.slug}${path}`, {
    method,
    ...(body && { body: isFile ? body : JSON.stringify(body) }),
    headers: isFile || !body ? {} : { 'Content-Type': 'application/json' },
  });
  const text = await answer.text();
  const given = /"token":"([\w-]+)"/.exec(text)?.[1];
  if (given && given !== token) one.tokens.push(given);
  const own = new Set(['date', 'x-request-id', 'content-length', 'etag', 'keep-alive']);
  const headers = [...answer.headers].filter(([name]) => !own.has(name) && !name.startsWith('ratelimit'));
  return { status: answer.status, body: plain(text, one), headers };
}

/** The same call of each; what all of them see. */
async function all(method: Call[0], route: string, bodyOf?: (one: Applicant) => object) {
  const answers = [];
  for (const one of applicants) answers.push(await seen(one, [method, route, bodyOf?.(one)]));
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
const mailsAlike = async () => {
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
  // Before a worker has come to it, and after that.
  await all('GET', '/applications/:token/');
  await settleApplications();
  await all('POST', '/drafts/:token/submit/');
}

/** As soon as it is asked, and once a worker has come to it. */
async function withdraw(erase: boolean) {
  await all('POST', '/applications/:token/withdraw/', () => ({ erase }));
  await all('GET', '/applications/:token/');
  await all('GET', '/drafts/:token/');
  await settleApplications();
}

/** All that a link opens, but for its end. */
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
  await mailsAlike();
  return body;
}

/** What officers do with whoever came of the unused address; nobody came of the others. */
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

const OUTCOMES = [['rejected'], ['approved', 'in_progress', 'completed'], ['approved']].map((stages) => ({ stages }));
test.each(OUTCOMES)(
  'without proof wanted all look alike, also once officers have decided: $stages',
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
    // Somebody sends another for the same address.
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
  const said = rest === 'close' ? { preview_hash } : { reason: 'Too early.' };
  expect((await stage.admin.post(path, said)).status).toBe(202);
  const [{ turn: n } = { turn: 0 }] = await asOwner<{ turn: number }>(
    'SELECT turn FROM recruitment_periods WHERE id = $1',
    [period],
  );
  await inTenant(world.organizationId, () => follow(n));
  return (await stage.admin.get(`/api/recruitment-periods/${period}/`)).body.is_settled;
};
const settle = (n: number) => settleNextBatch(period, n);
const stop = (n: number) => stopTurn(period, n);

test('they look alike through time: through a closing, one that was stopped, and an opening after their links have ended', async () => {
  await begin();
  await requireProof(false);
  await apply();
  await later(3);
  await removeNextFiles();
  expect(await look()).toMatchObject({ status: 'received' });
  await later(60);
  await removeNextFiles();
  expect(await look()).toMatchObject({ status: 'received', attachments: ['resume', 'transcript'] });
  // Whose process was stopped has not let everybody follow, and says so.
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
  // Whether or not what waited was erased before, no link comes back.
  expect(await turn('reopen', settle)).toBe(true);
  expect((await all('GET', '/applications/:token/')).status).toBe(404);
  await removeNextFiles();
  await look();
  await withdraw(false);
  await apply();
  await look();
  await withdraw(true);
});

test('without proof wanted no answer costs more or less for one address than for another', async () => {
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
  // BEGIN with the tenant; what the form asks; all that is written, with COMMIT.
  expect(await costs(send)).toEqual(new Set([3]));
  // What somebody sends for an address of which there is one already.
  expect(await costs(send)).toEqual(new Set([3]));
  for (const one of applicants) one.tokens.pop();
  await decide('approved');
  expect((await costs((one) => lockApplicationOwner(token(one)))).size).toBe(1);
  for (const erase of [false, false, true])
    expect(await costs((one) => withdrawApplication(token(one), { erase }))).toEqual(new Set([5]));
  expect(await asOwner('SELECT FROM pnm_applications WHERE email = $1', [applicants[0]?.email])).toEqual([]);
});

test('where proof is wanted all look alike until it is given', async () => {
  await begin();
  await requireProof(true);
  await apply();
  expect(await look()).toMatchObject({ status: 'unconfirmed' });
  await requireProof(false);
  expect(await look()).toMatchObject({ status: 'unconfirmed' });
  await all('POST', '/applications/:token/withdraw/', () => ({}));
  expect(await look()).toMatchObject({ status: 'withdrawn' });
});

test('the answered mail opens what is decided, and asks the referees', async () => {
  await begin();
  await requireProof(false);
  await apply();
  await decide();
  const [fresh] = applicants as [Applicant];
  const token = await stage.mailbox.tokenFor(fresh.email);
  expect(await seen(fresh, ['POST', '/verify-email/', { token }])).toMatchObject({ status: 204 });
  expect(await seen(fresh, ['POST', '/verify-email/', { token }])).toMatchObject({ status: 400 });
  expect(await letters()).toHaveLength(2);
  const shown = async () => JSON.parse((await seen(fresh, ['GET', '/applications/:token/'])).body);
  expect(await shown()).toMatchObject({ status: 'received', is_confirmed: true, referees: [{ name: 'First' }, {}] });
  await decide('approved');
  expect(await shown()).toMatchObject({ status: 'approved' });
});

test('the walk has been to every address that a token or an e-mail address is given to', () => {
  const own = publicApplicationRoutes
    .map(({ method, path }) => `${method.toUpperCase()} ${path.replace('/api/pnm/public/:slug', '')}`)
    .filter((route) => !/^GET \/(?:$|chapters|questions|consents)/.test(route));
  const been = new Set([...walked].map((route) => route.replace(/\?.*/, '')));
  expect(own.filter((route) => !been.has(route))).toEqual([]);
});
