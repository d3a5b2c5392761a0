/**
 * bench: requests a second and latencies of the product, beside a reference without our layers, on a stack of its own.
 *   --quick            shorter rounds
 *   --smoke            everything once: it only shows that all of it works, and the figures mean nothing
 *   --rounds <n>       how many of product and reference in turns
 *   --seconds <n>      how long a round is
 *   --size <size>      of the seed: large, or demo
 *   --cluster          instead: several of each, on a cluster of Temporal's own server
 *   --only <word>      cases whose name has it
 *   --json <file>      the figures
 *   --profile <folder> where the API's processor time goes, for Chrome's developer tools
 *   --report-only      exit 0 also when a target is missed
 */
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeApplications } from './bench/applying.js';
import type { Case, Setting } from './bench/case.js';
import { casesOf, tellingCases } from './bench/cases.js';
import { type Draft, largeDrafts, makeDrafts, paidToRefund } from './bench/drafts.js';
import type { Generator } from './bench/generator.js';
import { LOGIN_TIMING, timeFailures, type Timing } from './bench/loginTiming.js';
import { type Numbers, measureGrowing } from './bench/cluster/growing.js';
import { bareOf, manyAtOnce } from './bench/manyAtOnce.js';
import { watchMemory } from './bench/memory.js';
import { givePasskeys, signedIns } from './bench/passkey.js';
import { isReached, type Measurement, type Report, tableOf } from './bench/report.js';
import { measure, warmUp } from './bench/rounds.js';
import { connectSaml, signedResponses } from './bench/saml.js';
import { BenchStack } from './bench/stack.js';
import { makeUnread } from './bench/unread.js';
import { chooseWorld, signedIn, signIn, type World } from './bench/world.js';
import { readCommandLine } from '../bin/commandLine.js';
import { withClient } from './stack/roles.js';

const CONNECTIONS = 16;
const LENGTHS = {
  thorough: {
    warmUp: 1,
    rounds: 5,
    seconds: 5,
    payments: 48,
    signIns: 200,
    timings: 100,
    marks: 400,
    tellings: 2000,
    alerts: 20,
    sockets: 2000,
    graduates: 20_000,
    lines: 50_000,
    crossing: 60,
    files: 10_000,
    megabytes: 2_000,
    movements: 100_000,
    invoices: 100_000,
    reads: 2_000,
  },
  quick: {
    warmUp: 1,
    rounds: 3,
    seconds: 1,
    payments: 16,
    signIns: 32,
    timings: 20,
    marks: 64,
    tellings: 100,
    alerts: 20,
    sockets: 500,
    graduates: 500,
    lines: 1_000,
    crossing: 60,
    files: 500,
    megabytes: 100,
    movements: 10_000,
    invoices: 10_000,
    reads: 500,
  },
  smoke: {
    warmUp: 0,
    rounds: 1,
    seconds: 0.1,
    payments: 2,
    signIns: 4,
    timings: 4,
    marks: 8,
    tellings: 20,
    alerts: 2,
    sockets: 20,
    graduates: 20,
    lines: 40,
    crossing: 6,
    files: 20,
    megabytes: 12,
    movements: 300,
    invoices: 400,
    reads: 200,
  },
};
type Length = (typeof LENGTHS)['thorough'];

/** Of a cluster. */
const NUMBERS: Record<keyof typeof LENGTHS, Numbers> = {
  thorough: { payments: 144, backlog: 2_000, restSeconds: 15 },
  quick: { payments: 48, backlog: 200, restSeconds: 5 },
  smoke: { payments: 4, backlog: 30, restSeconds: 1 },
};

const USAGE = `bench [--quick | --smoke] [--rounds <n>] [--seconds <n>] [--size demo | large]
             [--cluster | --only <part of a case's name>] [--json <file>] [--profile <folder>] [--report-only]`;
const options = readCommandLine(USAGE, {
  quick: { type: 'boolean', default: false },
  smoke: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  size: { type: 'string', default: 'large' },
  cluster: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  json: { type: 'string' },
  profile: { type: 'string' },
  'report-only': { type: 'boolean', default: false },
});

async function main(): Promise<void> {
  const chosen = options.smoke ? 'smoke' : options.quick ? 'quick' : 'thorough';
  const usual = LENGTHS[chosen];
  const length = {
    ...usual,
    rounds: Number(options.rounds ?? usual.rounds),
    seconds: Number(options.seconds ?? usual.seconds),
  };
  if (!Number.isInteger(length.rounds) || length.rounds < 1) throw new Error('--rounds must be a whole number from 1.');
  if (!(length.seconds > 0)) throw new Error('--seconds must be a number above 0.');
  const stack = await BenchStack.start(
    path.resolve(process.env['DATA_DIR'] || '.data-bench'),
    options.size,
    console.log,
    { profiles: options.profile && path.resolve(options.profile), counts: options.cluster },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stack.stop().then(() => process.exit(1)));
  try {
    const report = options.cluster ? await grown(stack, NUMBERS[chosen]) : await benched(stack, length);
    console.log(`\n${tableOf(report)}`);
    if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    if (!report.reached && !options['report-only']) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}

/** Only where the system tells of other processes' time. */
async function grown(stack: BenchStack, numbers: Numbers): Promise<Report> {
  if (process.platform !== 'linux') throw new Error('--cluster measures on Linux only.');
  const world = await withClient(stack.ownerUrl, chooseWorld);
  const checks = await measureGrowing(stack, world, numbers);
  return reportOf({ rounds: 1, results: [], checks, loginTiming: [] });
}

async function benched(stack: BenchStack, length: Length): Promise<Report> {
  const { all, telling, world } = await prepared(stack, length);
  const wanted = ({ name }: Case) => name.includes(options.only);
  const generator = await stack.startGenerator();
  try {
    const results = await measured(all.filter(wanted), stack.apiPids, generator, length);
    const told = telling.filter(wanted);
    if (told.length > 0) {
      await stack.startTellingWorker();
      results.push(...(await measured(told, stack.apiPids, generator, length)));
      await stack.stopTellingWorker();
    }
    const checks = await manyAtOnce(stack, world, length, options.only);
    const loginTiming = await timed(stack, world, length);
    return reportOf({ rounds: length.rounds, results, checks, loginTiming });
  } finally {
    await generator.stop();
  }
}

const reportOf = (found: Pick<Report, 'rounds' | 'results' | 'checks' | 'loginTiming'>): Report => ({
  seed: options.size,
  machine: `${os.cpus().length} x ${os.cpus()[0]?.model}, Node ${process.version}`,
  connections: CONNECTIONS,
  ...found,
  reached: isReached(found.results, found.loginTiming, found.checks),
});

/** Last, since it takes away what two people sign in with. */
async function timed(stack: BenchStack, world: World, { timings }: Length): Promise<Timing[]> {
  if (!LOGIN_TIMING.includes(options.only)) return [];
  console.log(`Measuring: ${LOGIN_TIMING} …`);
  return withClient(stack.ownerUrl, (owner) => timeFailures(owner, stack.apiUrl, world, timings));
}

function prepared(stack: BenchStack, { rounds, seconds, payments: each, signIns, marks, tellings }: Length) {
  return withClient(stack.ownerUrl, async (owner) => {
    const world = await chooseWorld(owner);
    const product = stack.apiUrl;
    const [officer, admin] = [await signIn(product, world.officer), await signIn(product, world.admin)];
    const neighbour = await signIn(product, world.neighbour.email);
    // The warm-up is a round, too, and each has two turns.
    const turns = 2 * (rounds + 1);
    const inTurns = <T>(all: T[], count: number): T[][] =>
      Array.from({ length: turns }, (_, n) => all.slice(n * count, (n + 1) * count));
    const sent = await makeApplications(owner, world, turns * marks);
    const reference = [
      await stack.startReference(world.organizationId),
      await stack.startReference(world.organizationId),
    ];
    const both = { product: [product, await stack.startSecondApi()], reference };
    const drafts = await makeDrafts(owner, product, world, officer, turns * each);
    const perRound = inTurns(drafts, each);
    const payments = perRound.slice(0, rounds + 1).map((some) => some.map(({ pay }) => pay));
    const refunds = (round: number) => paidToRefund(product, perRound[rounds + 1 + round] as Draft[], admin);
    const { admins, officers, members } = world.readers;
    const readers = {
      admins: await signedIn(product, admins),
      officers: await signedIn(product, officers),
      members: await signedIn(product, members),
    };
    const unreads = await makeUnread(owner, readers.members, turns * marks);
    const [unread, applications] = [inTurns(unreads, marks), inTurns(sent, marks)];
    const burst = await largeDrafts(owner, world, officer);
    const passkeys = await givePasskeys(owner, world.members);
    const passkeySignIns = () => signedIns(product, passkeys, signIns);
    const saml = await connectSaml(product, world, admin);
    const samlResponses = () => signedResponses(product, saml, world.members, signIns);
    const plain = await stack.startPlain();
    const servers = { product, both, plain };
    const { ownerUrl } = stack;
    const bare = bareOf(stack, world, { connections: CONNECTIONS, seconds });
    const load = {
      connections: CONNECTIONS,
      seconds,
      payments,
      refunds,
      unread,
      applications,
      ownerUrl,
      tellings,
      passkeySignIns,
      samlResponses,
    };
    const setting: Setting = { world, ...servers, neighbour, readers, burst, bare, ...load };
    return { all: await casesOf(setting), telling: tellingCases(setting), world };
  });
}

async function measured(cases: Case[], apiPids: number[], generator: Generator, { rounds, warmUp: warm }: Length) {
  const results: Measurement[] = [];
  console.log('Warming up …');
  await warmUp(cases, generator, warm);
  for (const one of cases) {
    console.log(`Measuring: ${one.name} …`);
    let memoryBytes = 0;
    const note = (bytes: number) => (memoryBytes = Math.max(memoryBytes, bytes));
    const figures = await measure(one, rounds, generator, (work) => watchMemory(apiPids, note, work));
    const result = { ...figures, apiMemoryBytes: memoryBytes };
    console.log(
      result.ratio === null
        ? `  ${result.product.perSecond.toFixed(1)} a second`
        : `  ${result.ratio.toFixed(2)} x the reference`,
    );
    results.push(result);
  }
  return results;
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
