/**
 * Officers and admins do random actions on prospects, several at once: the rules about stages, crossings, names and history hold,
 * and no answer is a server error. PROPERTY_STEPS=2000 runs longer, PROPERTY_SEED=<seed> repeats a run.
 */
import fc from 'fast-check';
import { isTransient } from '../../../models/database/constraints.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { carryOver } from '../../../models/intake/crossings/crossingSteps.js';
import { settleNextBatch } from '../../../models/intake/recruitment-periods/settleTurn.js';
import { PNM_STAGES } from '../../../models/intake/vocabulary.js';
import { MEMBERSHIP_STATUSES } from '../../../models/organizations/vocabulary.js';
import type { Reply } from '../../support/api.js';
import { aStore } from '../../gateways/storage.support.js';
import { apiWorld } from '../../support/apiWorld.js';
import { uploadImport, workImport } from '../../support/importing.js';
import { asOwner } from '../../support/owner.js';
import { SEED } from '../../support/seed.js';
import { aMember } from '../../support/world.js';

const STEPS = Number(process.env['PROPERTY_STEPS'] ?? 40);
const AT_ONCE = 4;
const RULES = readInvariants().filter(({ examines }) => /memberships|pnm|recruitment/.test(examines));

aStore();
const stage = apiWorld();
const { world } = stage;

const which = fc.nat({ max: 1_000 });
const step = fc.record({
  who: which,
  other: which,
  by: fc.constantFrom('officer' as const, 'admin' as const, 'admin' as const),
  do: fc.constantFrom(
    ...([
      'add',
      'add',
      'move',
      'move',
      'move',
      'move',
      'move',
      'on',
      'on',
      'on',
      'propose',
      'review',
      'review',
    ] as const),
    ...([
      'change',
      'change',
      'transfer',
      'revert',
      'line',
      'close',
      'reopen',
      'settle',
      'carry',
      'import',
      'undo',
    ] as const),
  ),
  to: fc.constantFrom(...PNM_STAGES),
  status: fc.constantFrom(...MEMBERSHIP_STATUSES),
  past: fc.constantFrom(undefined, undefined, '2025-03-01T12:00:00.000Z'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const any = <T>(from: readonly T[], n: number): T | undefined => from[n % from.length];
const ids = async (sql: string) =>
  (await asOwner<{ id: string }>(`${sql} ORDER BY id`, [world.organizationId])).map(({ id }) => id);

let chapters: string[];
let people: string[];
let period: string;
beforeAll(async () => {
  chapters = [world.chapterId, world.otherChapterId];
  const known = Array.from({ length: 6 }, () => aMember(stage.other.organizationId, stage.other.chapterId));
  people = (await Promise.all(known)).map(({ email }) => email);
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO recruitment_periods (organization_id, term_id, name, opens_at, closes_at, status)
     VALUES ($1, $2, 'Intake', '2020-01-01', '2100-01-01', 'active') RETURNING id`,
    [world.organizationId, world.termId],
  );
  period = made?.id as string;
  await asOwner(`UPDATE organizations SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [world.organizationId]);
});

type Action = (step: Step, client: typeof stage.admin) => Promise<Reply<{ code?: string } | undefined> | undefined>;
const NEXT = { not_started: 'approved', approved: 'in_progress', in_progress: 'completed' } as Record<string, string>;

const ACTIONS: Record<Step['do'], Action> = {
  add: ({ who, other }, client) =>
    client.post(`/api/chapters/${any(chapters, other)}/pnm/`, {
      email: any([...people, `typed-${who % 4}@example.org`], who),
      first_name: 'Pia',
      last_name: 'Storm',
      expected_graduation_semester: 'Fall',
      expected_graduation_year: 2027,
    }),
  move: async ({ who, to, past }, client) =>
    client.post(`/api/pnm/${await aProspect(who)}/transition/`, {
      to,
      reason: 'Storm.',
      ...(to === 'completed' && past && { crossed_at: past }),
    }),
  on: async ({ who, past }, client) => {
    const pnm = await aProspect(who);
    const [row] = await asOwner<{ stage: string }>('SELECT stage FROM pnm_profiles WHERE id = $1', [pnm]);
    const to = NEXT[row?.stage ?? ''] ?? 'not_started';
    return client.post(`/api/pnm/${pnm}/transition/`, { to, ...(to === 'completed' && past && { crossed_at: past }) });
  },
  propose: async ({ who, other }) =>
    stage.officer.post(`/api/pnm/${await aProspect(who)}/name-assignments/`, { name: `Name ${other % 3}` }),
  review: async ({ who, other }) => {
    const id = any(
      await ids(`SELECT id FROM pnm_name_assignments WHERE organization_id = $1 AND status = 'proposed'`),
      who,
    );
    const decision = other % 4 === 0 ? 'reject' : 'approve';
    return id ? stage.admin.post(`/api/name-assignments/${id}/review/`, { decision, notes: 'Storm.' }) : undefined;
  },
  change: async ({ who, status }, client) => {
    const [row] = await asOwner<{ id: string }>('SELECT membership_id AS id FROM pnm_profiles WHERE id = $1', [
      await aProspect(who),
    ]);
    return client.patch(`/api/memberships/${row?.id}/`, { status, reason: 'Storm.' });
  },
  transfer: async ({ who, other }, client) => {
    const [row] = await asOwner<{ id: string }>('SELECT membership_id AS id FROM pnm_profiles WHERE id = $1', [
      await aProspect(who),
    ]);
    const at = `/api/memberships/${row?.id}/transfer/`;
    const to_chapter = any(chapters, other);
    const preview = await client.post(at, { to_chapter, dry_run: true });
    return preview.status === 200 ? client.post(at, { to_chapter, preview_hash: preview.body.preview_hash }) : preview;
  },
  revert: async ({ who }, client) => {
    const id = any(await ids('SELECT id FROM crossings WHERE organization_id = $1'), who);
    return id ? client.post(`/api/crossings/${id}/revert/`, { reason: 'Storm.' }) : undefined;
  },
  line: async ({ who, other, past }, client) => {
    const at = `/api/chapters/${any(chapters, who)}/pnm/cross/`;
    const all = await ids(`SELECT id FROM pnm_profiles WHERE organization_id = $1 AND stage = 'in_progress'`);
    const line = { pnm_ids: [any(all, who), any(all, other)].filter(Boolean), ...(past && { crossed_at: past }) };
    const preview = await client.post(at, { ...line, dry_run: true });
    return preview.status === 200 ? client.post(at, { ...line, preview_hash: preview.body.preview_hash }) : preview;
  },
  close: async ({ who }, client) => {
    if (who % 3 > 0) return undefined;
    const preview = await client.post(`/api/recruitment-periods/${period}/close/`, { dry_run: true });
    return client.post(`/api/recruitment-periods/${period}/close/`, { preview_hash: preview.body.preview_hash });
  },
  reopen: (_, client) => client.post(`/api/recruitment-periods/${period}/reopen/`, { reason: 'Storm.' }),
  settle: async () => {
    const [{ turn } = { turn: 0 }] = await asOwner<{ turn: number }>(
      'SELECT turn FROM recruitment_periods WHERE id = $1',
      [period],
    );
    await ignoreTransient(() => inTenant(world.organizationId, () => settleNextBatch(period, turn)));
    return undefined;
  },
  carry: async ({ who }) => {
    const id = any(await ids('SELECT id FROM crossings WHERE organization_id = $1 AND carried_at IS NULL'), who);
    if (id) await ignoreTransient(() => inTenant(world.organizationId, () => carryOver(id)));
    return undefined;
  },
  // Imports a table of five prospects as they are now; each step runs like its workflow, between the other actions.
  import: async ({ who, status, past }) => {
    const lines = await asOwner<{ line: string }>(
      `SELECT concat_ws(',', coalesce(u.email, u.typed_email), 'Pia', 'Storm', m.chapter_id, $3::text, $4::text) AS line
         FROM pnm_profiles p JOIN memberships m ON m.id = p.membership_id JOIN users u ON u.id = m.user_id
        WHERE p.organization_id = $1 AND coalesce(u.email, u.typed_email) IS NOT NULL ORDER BY p.id OFFSET $2 LIMIT 5`,
      [world.organizationId, who % 3, status, past?.slice(0, 10) ?? ''],
    );
    if (lines.length === 0) return undefined;
    const content = ['Email,First name,Last name,Chapter,Status,Crossing date', ...lines.map(({ line }) => line)].join(
      '\n',
    );
    const { body } = await uploadImport(stage.api.url, world, { content, token: world.admin.token });
    const at = `/api/imports/${body['id'] as string}/`;
    const runImport = () => ignoreTransient(() => workImport(world.organizationId, body['id'] as string));
    await runImport();
    await stage.admin.post(`${at}preview/`);
    await runImport();
    const { preview_hash } = (await stage.admin.get(at)).body;
    const answer = await stage.admin.post(`${at}process/`, { preview_hash, on_existing: 'overwrite' });
    await runImport();
    return answer;
  },
  undo: async ({ who }) => {
    const id = any(
      await ids(`SELECT id FROM bulk_imports WHERE organization_id = $1 AND outcome LIKE 'completed%'`),
      who,
    );
    if (!id) return undefined;
    const answer = await stage.admin.post(`/api/imports/${id}/undo/`);
    await ignoreTransient(() => workImport(world.organizationId, id));
    return answer;
  },
};

/** Ignores transient errors; the next action of the same kind tries again. */
async function ignoreTransient(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!isTransient(error)) throw error;
  });
}

const aProspect = async (n: number): Promise<string> =>
  any(await ids('SELECT id FROM pnm_profiles WHERE organization_id = $1'), n) ?? world.organizationId;

/** Runs these actions at once. @returns the failures */
async function faultsOf(round: readonly Step[]): Promise<unknown[]> {
  const answers = await Promise.all(round.map((one) => ACTIONS[one.do](one, stage[one.by])));
  const faults = answers.filter((answer) => answer !== undefined && answer.status >= 500);
  const broken = await Promise.all(RULES.map(async ({ name, query }) => ({ name, rows: await asOwner(query) })));
  const all = [...faults, ...broken.filter(({ rows }) => rows.length > 0)];
  return all.length > 0 ? [...all, round, answers.map((one) => [one?.status, one?.body?.code])] : [];
}

test('random concurrent actions of officers and admins keep the rules of the intake', async () => {
  const rounds = fc.sample(fc.array(step, { minLength: 1, maxLength: AT_ONCE }), { seed: SEED, numRuns: STEPS });
  for (const [n, round] of rounds.entries())
    expect({ SEED, n, faults: await faultsOf(round) }).toEqual({ SEED, n, faults: [] });
}, 600_000);
