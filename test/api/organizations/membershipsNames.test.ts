/** Tests names: stored in one Unicode form, found without regard to form and accents, and always visible. */
import type { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, aPlatformAdmin, aTerm } from '../../support/world.js';

const stage = apiWorld();
const { world } = stage;
const NFC = { first_name: 'Zoë', last_name: 'Ñandú-Müller' };
const NFD = { first_name: 'Zoë'.normalize('NFD'), last_name: 'Ñandú-Müller'.normalize('NFD') };
const WORDS = ['Zoë Ñandú', 'Zoë Ñandú'.normalize('NFD'), 'zoe nandu', 'ZOË ÑANDÚ'];

const inOrganization = (rest: string) => `/api/organizations/${world.organizationId}/${rest}`;

test('every path stores names in normalization form C', async () => {
  const stored = { first_name: 'Chloë', last_name: 'Ångström' };
  const written = { first_name: 'Chloë'.normalize('NFD'), last_name: 'A\u030angström' };
  const added = await stage.officer.post(`/api/chapters/${world.chapterId}/members/`, {
    email: 'zoe@example.org',
    ...written,
  });
  expect(added).toMatchObject({ status: 201, body: stored });
  const applied = { email: 'asks@example.org', justification: 'I am a member.', ...written };
  await asOwner('UPDATE organizations SET accepts_account_requests = true WHERE id = $1', [world.organizationId]);
  const publicly = `/api/organizations/public/${world.slug}/account-requests/`;
  expect((await stage.nobody.post(publicly, applied)).status).toBe(202);
  expect(await asOwner('SELECT first_name, last_name FROM account_requests WHERE email = $1', [applied.email])).toEqual(
    [stored],
  );
  const chapter = await stage.admin.post(inOrganization('chapters/'), { name: 'Épsilon'.normalize('NFD') });
  expect(chapter).toMatchObject({ status: 201, body: { name: 'Épsilon' } });
  expect((await stage.admin.post(inOrganization('chapters/'), { name: 'Épsilon' })).body.errors).toHaveProperty('name');
  const region = await stage.admin.post(inOrganization('regions/'), { name: 'Québec'.normalize('NFD') });
  expect(region).toMatchObject({ status: 201, body: { name: 'Québec' } });
});

test('an invisible or bidirectional name is refused by its field', async () => {
  const refused = [
    '\u200b',
    '\u3164',
    '\u2060 \u00ad',
    '\u2800',
    '\u0301',
    'A\u202eB',
    'A\u2067B',
    'A\u200fB',
    'A\u061cB',
    'A\nB',
    'A\rB',
    'A\u0085B',
  ];
  for (const name of refused) {
    const person = { email: 'invisible@example.org', first_name: 'Ada', last_name: name };
    const added = await stage.officer.post(`/api/chapters/${world.chapterId}/members/`, person);
    expect([name, added.status, Object.keys(added.body.errors)]).toEqual([name, 400, ['last_name']]);
    const answers = [
      await stage.admin.post(inOrganization('chapters/'), { name }),
      await stage.admin.post(inOrganization('regions/'), { name }),
      await stage.admin.patch(inOrganization(''), { name }),
    ];
    for (const { status, body } of answers)
      expect([name, status, Object.keys(body.errors)]).toEqual([name, 400, ['name']]);
  }
  // Some languages need a joiner.
  const joined = { email: 'joined@example.org', first_name: 'می\u200cنا', last_name: 'क्\u200dष' };
  expect(await stage.officer.post(`/api/chapters/${world.chapterId}/members/`, joined)).toMatchObject({
    status: 201,
    body: { first_name: joined.first_name, last_name: joined.last_name },
  });
});

describe('every search finds a name regardless of its form, accents and case:', () => {
  let userId: string;
  let platformAdmin: Client;
  let chapterId: string;

  beforeAll(async () => {
    const { organizationId } = world;
    const member = await aMember(organizationId, world.chapterId);
    ({ userId } = member);
    await asOwner('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [
      userId,
      NFC.first_name,
      NFC.last_name,
    ]);
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      organizationId,
      userId,
    ]);
    await anInvoice(world, { chapterId: world.chapterId, membershipId: member.membershipId });
    platformAdmin = stage.as(await aPlatformAdmin());
    const made = await stage.admin.post(inOrganization('chapters/'), { name: 'Zoë Ñandú' });
    chapterId = made.body.id;
    await asOwner(`UPDATE organizations SET name = 'Zoë Ñandú', listed = true WHERE id = $1`, [organizationId]);
    const term = await aTerm(world, 2100);
    const times = { opens_at: '2020-01-01T00:00:00.000Z', closes_at: '2100-01-01T00:00:00.000Z' };
    const period = await stage.admin.post(inOrganization('recruitment-periods/'), { term, name: 'Intake', ...times });
    expect((await stage.admin.post(`/api/recruitment-periods/${period.body.id}/activate/`)).status).toBe(200);
    const prospect = { email: 'prospect@example.org', ...NFD };
    expect((await stage.officer.post(`/api/chapters/${world.chapterId}/pnm/`, prospect)).status).toBe(201);
    const application = { ...prospect, email: 'applicant@example.org', chapter: world.chapterId };
    expect((await stage.nobody.post(`/api/pnm/public/${world.slug}/applications/`, application)).status).toBe(202);
    await asOwner(
      `UPDATE pnm_applications SET state = 'received', received_at = now() WHERE email = 'applicant@example.org'`,
    );
  });

  /** Client and address of each search. */
  const SEARCHES: [string, () => Client, (words: string) => string][] = [
    ['members', () => stage.member, (q) => inOrganization(`member-search/?q=${q}`)],
    ['administrators', () => stage.admin, (q) => inOrganization(`admin-search/?q=${q}`)],
    ['the roster', () => stage.member, (q) => `/api/chapters/${world.chapterId}/members/?search=${q}&status=undergrad`],
    ['chapters', () => stage.member, (q) => inOrganization(`chapters/?search=${q}`)],
    ['organizations', () => stage.admin, (q) => `/api/organizations/?search=${q}`],
    ['public organizations', () => stage.nobody, (q) => `/api/organizations/public/directory/?search=${q}`],
    ['public chapters', () => stage.nobody, (q) => `/api/organizations/public/${world.slug}/chapters/?search=${q}`],
    ['users of the platform', () => platformAdmin, (q) => `/api/platform/users/?q=${q}`],
    ['users of the platform while typing', () => platformAdmin, (q) => `/api/platform/user-search/?q=${q}`],
    ['invoices', () => stage.admin, (q) => inOrganization(`invoices/?search=${q}`)],
    [
      'the collection roster',
      () => stage.officer,
      (q) => `/api/billing/roster/?chapter=${world.chapterId}&bucket=due&search=${q}`,
    ],
    ['prospective members', () => stage.officer, (q) => `/api/chapters/${world.chapterId}/pnm/?search=${q}`],
    ['applications', () => stage.officer, (q) => `/api/chapters/${world.chapterId}/pnm-applications/?search=${q}`],
  ];

  test.each(SEARCHES)('the search for %s finds the name in every form', async (_what, by, address) => {
    const found = await Promise.all(
      WORDS.map(async (words) => {
        const { status, body } = await by().get(address(encodeURIComponent(words)));
        const results = Array.isArray(body) ? body : body.results;
        return [status, results?.length];
      }),
    );
    expect(found).toEqual(WORDS.map(() => [200, 1]));
    const { body } = await by().get(address(encodeURIComponent('wholly unlike')));
    expect(Array.isArray(body) ? body : body.results).toEqual([]);
  });

  test('a chapter is also found by its university without accents', async () => {
    await stage.admin.patch(`/api/chapters/${chapterId}/`, { university: 'Universität Łódź' });
    const { body } = await stage.member.get(inOrganization('chapters/?search=universitat%20lodz'));
    expect(body.results).toMatchObject([{ id: chapterId }]);
  });
});
