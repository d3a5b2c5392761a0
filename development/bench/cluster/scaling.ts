/**
 * Measurements with several instances of each part: the cost of a payment on a Temporal cluster compared with the
 * development server, the statements and connections that more instances cause, and the draining of a backlog.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { superuserUrl } from '../../stack/postgres.js';
import { roleOf, withClient } from '../../stack/roles.js';
import { type Check, check, figure } from '../audience.js';
import { makeDrafts } from '../drafts.js';
import type { BenchStack } from '../stack.js';
import { signIn, type World } from '../world.js';
import { drain } from './backlog.js';
import { payAll, cpuTimeDuring } from './payments.js';
import { ScaledStack } from './scaledStack.js';
import { clientsOf, connectionsOf, type Counted, prepareCounting, statementsOf } from './statements.js';

export interface ClusterSizes {
  /** Number of payments in each measurement, each with 25 invoices. */
  payments: number;
  /** Number of payments with one invoice each; ten of them belong to another organization. */
  backlog: number;
  /** How long the idle platform is measured. */
  restSeconds: number;
}

const SIZES = [1, 2, 4];
const DRAINED_WITH = 2;
const CONCURRENCY = 16;
/**
 * Number of payments per API in the warm-up, in which connections are opened, statements prepared and code compiled.
 */
const WARM_UP = 16;
const FEW = 10;
/**
 * While one organization has a backlog, only so many of its payments may be settled before the last payment of another
 * organization: this number of dispatches, and for each worker the tasks that it may already hold.
 */
const MAX_DELAYED_DISPATCHES = 30;
const TASKS_PER_WORKER = 40;
/**
 * Maximum growth of the statements per payment with more instances. It should not grow at all; the margin is for
 * chance.
 */
const MAX_GROWTH = 1.2;

interface Setup {
  stack: BenchStack;
  owner: Client;
  superuser: Client;
  world: World;
  numbers: ClusterSizes;
}

export async function measureScaling(stack: BenchStack, world: World, numbers: ClusterSizes): Promise<Check[]> {
  const cluster = await stack.postgres();
  return withClient(superuserUrl(cluster), (superuser) =>
    withClient(stack.ownerUrl, async (owner) => {
      await prepareCounting(superuser);
      const scene = { stack, owner, superuser, world, numbers };
      const checks = [await onDevelopmentServer(scene)];
      const several = await ScaledStack.over(stack);
      const growth: Counted[] = [];
      for (const size of SIZES) {
        const { found, statements } = await measureAtSize(scene, several, size);
        checks.push(...found);
        growth.push(statements);
        if (size === DRAINED_WITH) checks.push(...(await measureBacklog(scene, several)));
      }
      return [...checks, ...growthChecks(growth)];
    }),
  );
}

/** Measures a stack with one instance of each part and Temporal's development server, for comparison. */
async function onDevelopmentServer({ stack, ...scene }: Setup): Promise<Check> {
  const parts = () => ({
    API: stack.pidsOf((name) => name === 'api'),
    worker: stack.pidsOf((name) => name === 'worker'),
    Temporal: stack.pidsOf((name) => name === 'temporal'),
    Postgres: stack.postgresPids(),
    'stand-in': stack.pidsOf((name) => name === 'gateway'),
  });
  const { taken } = await measurePayments({ stack, ...scene }, [stack.apiUrl], parts);
  return cost('on the development server of Temporal', taken);
}

async function measureAtSize(scene: Setup, several: ScaledStack, size: number) {
  console.log(`Measuring: ${size} of each …`);
  const apis = await several.grow(size);
  const { superuser, stack, numbers } = scene;
  const platform = roleOf(stack.databaseUrl).name;
  const { taken, statements } = await measurePayments(scene, apis, () => several.pids());
  const before = await statementsOf(superuser, platform);
  const atRest = await cpuTimeDuring(several.pids(), () => sleep(numbers.restSeconds * 1000));
  const made = differenceOf(before, await statementsOf(superuser, platform));
  const connections = await connectionsOf(superuser, platform);
  const each = (name: string) => `${name}, ${size} of each`;
  const found = [
    cost(each('on a cluster'), taken),
    figure(each('statements of a payment, the platform'), statements.platform, ''),
    figure(each('statements of a payment, Temporal'), statements.temporal, ''),
    figure(each('statements a second at rest, the platform'), made.platform / numbers.restSeconds, ''),
    figure(each('statements a second at rest, Temporal'), made.temporal / numbers.restSeconds, ''),
    figure(
      each(`processor time a second at rest (${words(atRest, numbers.restSeconds)})`),
      sumOf(atRest) / numbers.restSeconds,
      'ms',
    ),
    figure(each('connections to the pooler'), await clientsOf(several.pooler), ''),
    figure(each('connections to Postgres, the platform'), connections.platform, ''),
    figure(each('connections to Postgres, Temporal'), connections.temporal, ''),
  ];
  return { found, statements };
}

/** Pays at these APIs, after a warm-up that does not count. @returns CPU time by part and statements, per payment */
async function measurePayments(
  { stack, owner, superuser, world, numbers }: Setup,
  apis: string[],
  parts: () => Record<string, number[]>,
): Promise<{ taken: Record<string, number>; statements: Counted }> {
  const officer = await signIn(apis[0] as string, world.officer);
  const count = WARM_UP * apis.length + numbers.payments;
  const drafts = await makeDrafts(owner, apis[0] as string, world, officer, count);
  const calls = drafts.map(({ pay }) => pay);
  await payAll(apis, calls.slice(numbers.payments), CONCURRENCY);
  const platform = roleOf(stack.databaseUrl).name;
  const before = await statementsOf(superuser, platform);
  const all = await cpuTimeDuring(parts(), () => payAll(apis, calls.slice(0, numbers.payments), CONCURRENCY));
  const made = differenceOf(before, await statementsOf(superuser, platform));
  const { payments } = numbers;
  return {
    taken: Object.fromEntries(Object.entries(all).map(([part, ms]) => [part, ms / payments])),
    statements: { platform: made.platform / payments, temporal: made.temporal / payments },
  };
}

async function measureBacklog({ owner, world, numbers, stack }: Setup, several: ScaledStack): Promise<Check[]> {
  const checks: Check[] = [];
  const quick = await several.startApi('api-quick', { PAY_WAIT_SECONDS: '1' });
  for (const workers of [1, 2]) {
    console.log(`Measuring: a backlog and ${workers === 1 ? 'one worker' : 'two workers'} …`);
    await several.endWorkers();
    const [officer, neighbour] = [await signIn(quick, world.officer), await signIn(quick, world.neighbour.email)];
    const many = await makeDrafts(owner, quick, world, officer, numbers.backlog - FEW, 1);
    const few = await makeDrafts(
      owner,
      quick,
      await chapterWithOrganization(owner, world.neighbour.chapterId),
      neighbour,
      FEW,
      1,
    );
    const startWorkers = async () => {
      for (let n = 1; n <= workers; n += 1) await several.startWorker(`worker-${n}`);
    };
    const { perSecond, before } = await drain({ owner, api: quick, many, few, startWorkers });
    const by = `${numbers.backlog} payments that wait, by ${workers === 1 ? 'one worker' : 'two workers'}`;
    checks.push(
      figure(by, perSecond, 'a second'),
      check(
        `${by}: settled before another organization's ${FEW} that came last`,
        before,
        MAX_DELAYED_DISPATCHES + TASKS_PER_WORKER * workers,
        '',
      ),
    );
  }
  await stack.end((name) => name === 'api-quick');
  return checks;
}

async function chapterWithOrganization(
  owner: Client,
  chapterId: string,
): Promise<{ organizationId: string; chapterId: string }> {
  const { rows } = await owner.query<{ id: string }>('SELECT organization_id AS id FROM chapters WHERE id = $1', [
    chapterId,
  ]);
  return { organizationId: rows[0]?.id as string, chapterId };
}

/** Compares the largest number of instances with one instance. */
function growthChecks(statements: Counted[]): Check[] {
  const [one, most] = [statements[0] as Counted, statements.at(-1) as Counted];
  const beside = `with ${SIZES.at(-1)} of each, beside 1 of each`;
  return [
    check(`statements of a payment, the platform, ${beside}`, most.platform / one.platform, MAX_GROWTH, 'x'),
    check(`statements of a payment, Temporal, ${beside}`, most.temporal / one.temporal, MAX_GROWTH, 'x'),
  ];
}

const differenceOf = (before: Counted, after: Counted): Counted => ({
  platform: after.platform - before.platform,
  temporal: after.temporal - before.temporal,
});

const sumOf = (taken: Record<string, number>): number => Object.values(taken).reduce((sum, ms) => sum + ms, 0);

const words = (taken: Record<string, number>, by = 1): string =>
  Object.entries(taken)
    .map(([part, ms]) => `${part} ${(ms / by).toFixed(0)}`)
    .join(', ');

const cost = (where: string, taken: Record<string, number>): Check =>
  figure(`processor time of a payment ${where} (${words(taken)})`, sumOf(taken), 'ms');
