/**
 * bench: measures requests per second and latencies of the product next to a reference without our layers, on a stack
 * of its own.
 *   --quick shorter rounds
 *   --smoke runs everything once: shows only that all of it works; the figures mean nothing
 *   --rounds <n> number of rounds; product and reference take turns
 *   --seconds <n> length of a round
 *   --size <size> size of the seed: large, or demo
 *   --cluster measures two instances of each part instead, on a cluster of Temporal's own server
 *   --only <word> runs only cases whose name contains the word
 *   --json <file> writes the figures to the file
 *   --profile <folder> writes CPU profiles of the API, for Chrome's developer tools
 *   --report-only exits with 0 even when a target is missed
 */
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeApplications } from './bench/applying.js';
import type { Case, Setting } from './bench/case.js';
import { casesOf, deliveryCases } from './bench/cases.js';
import { type Draft, largeDrafts, makeDrafts, payAndPrepareRefunds } from './bench/drafts.js';
import { chooseForums, hideTexts, insertRules } from './bench/forums.js';
import { chooseCampaigns, chooseFoundationPeople } from './bench/giving.js';
import type { Generator } from './bench/generator.js';
import { LOGIN_TIMING, timeFailures, type Timing } from './bench/loginTiming.js';
import { type ClusterSizes, measureScaling } from './bench/cluster/scaling.js';
import { bareOf, runSingleMeasurements } from './bench/singleMeasurements.js';
import { watchMemory } from './bench/memory.js';
import { givePasskeys, preparePasskeySignIns } from './bench/passkey.js';
import { isReached, type Measurement, type Report, tableOf } from './bench/report.js';
import { measure, warmUp } from './bench/rounds.js';
import { connectSaml, prepareSamlResponses } from './bench/saml.js';
import { BenchStack } from './bench/stack.js';
import { makeUnread } from './bench/unread.js';
import { chooseWorld, signInAll, signIn, type World } from './bench/world.js';
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
    posts: 200,
    alerts: 20,
    sockets: 2000,
    graduates: 20_000,
    lines: 50_000,
    crossing: 60,
    files: 10_000,
    megabytes: 2_000,
    movements: 100_000,
    invoices: 100_000,
    exports: 10,
    donors: 100_000,
    receipts: 2_000,
    pledges: 20_000,
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
    posts: 40,
    alerts: 20,
    sockets: 500,
    graduates: 500,
    lines: 1_000,
    crossing: 60,
    files: 500,
    megabytes: 100,
    movements: 10_000,
    invoices: 10_000,
    exports: 3,
    donors: 20_000,
    receipts: 300,
    pledges: 2_000,
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
    posts: 4,
    alerts: 2,
    sockets: 20,
    graduates: 20,
    lines: 40,
    crossing: 6,
    files: 20,
    megabytes: 12,
    movements: 300,
    invoices: 400,
    exports: 1,
    donors: 50,
    receipts: 20,
    pledges: 40,
    reads: 200,
  },
};
type Length = (typeof LENGTHS)['thorough'];

/** Sizes of the cluster benchmark. */
const NUMBERS: Record<keyof typeof LENGTHS, ClusterSizes> = {
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
    const report = options.cluster ? await runClusterBench(stack, NUMBERS[chosen]) : await runCases(stack, length);
    console.log(`\n${tableOf(report)}`);
    if (options.json) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
    if (!report.reached && !options['report-only']) process.exitCode = 1;
  } finally {
    await stack.stop();
  }
}

/** Runs the cluster benchmark. It works on Linux only, where the CPU time of other processes can be read. */
async function runClusterBench(stack: BenchStack, numbers: ClusterSizes): Promise<Report> {
  if (process.platform !== 'linux') throw new Error('--cluster measures on Linux only.');
  const world = await withClient(stack.ownerUrl, chooseWorld);
  const checks = await measureScaling(stack, world, numbers);
  return reportOf({ rounds: 1, results: [], checks, loginTiming: [] });
}

async function runCases(stack: BenchStack, length: Length): Promise<Report> {
  const { all, telling, world } = await prepareCases(stack, length);
  const wanted = ({ name }: Case) => name.includes(options.only);
  const generator = await stack.startGenerator();
  try {
    const results = await measureCases(all.filter(wanted), stack.apiPids, generator, length);
    const notificationCases = telling.filter(wanted);
    if (notificationCases.length > 0) {
      await stack.startNotificationWorker();
      results.push(...(await measureCases(notificationCases, stack.apiPids, generator, length)));
      await stack.stopNotificationWorker();
    }
    const checks = await runSingleMeasurements(stack, world, length, options.only);
    const loginTiming = await measureLoginTiming(stack, world, length);
    return reportOf({ rounds: length.rounds, results, checks, loginTiming });
  } finally {
    await generator.stop();
  }
}

const reportOf = (parts: Pick<Report, 'rounds' | 'results' | 'checks' | 'loginTiming'>): Report => ({
  seed: options.size,
  machine: `${os.cpus().length} x ${os.cpus()[0]?.model}, Node ${process.version}`,
  connections: CONNECTIONS,
  ...parts,
  reached: isReached(parts.results, parts.loginTiming, parts.checks),
});

/** Measures login timing. It runs last, because it removes the credentials of two people. */
async function measureLoginTiming(stack: BenchStack, world: World, { timings }: Length): Promise<Timing[]> {
  if (!LOGIN_TIMING.includes(options.only)) return [];
  console.log(`Measuring: ${LOGIN_TIMING} …`);
  return withClient(stack.ownerUrl, (owner) => timeFailures(owner, stack.apiUrl, world, timings));
}

function prepareCases(stack: BenchStack, { rounds, seconds, payments: each, signIns, marks, tellings }: Length) {
  return withClient(stack.ownerUrl, async (owner) => {
    const world = await chooseWorld(owner);
    const product = stack.apiUrl;
    const [officer, admin] = [await signIn(product, world.officer), await signIn(product, world.admin)];
    const neighbour = await signIn(product, world.neighbour.email);
    // Number of turns. In each round the product and the reference take one turn each, and the warm-up counts as one
    // more round.
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
    const refunds = (round: number) => payAndPrepareRefunds(product, perRound[rounds + 1 + round] as Draft[], admin);
    const { admins, officers, members } = world.readers;
    const readers = {
      admins: await signInAll(product, admins),
      officers: await signInAll(product, officers),
      members: await signInAll(product, members),
    };
    const giving = {
      people: await signInAll(product, await chooseFoundationPeople(owner)),
      campaigns: await chooseCampaigns(owner),
    };
    const forumReaders = await chooseForums(owner, readers.members);
    const forumModerators = await chooseForums(owner, readers.admins);
    await insertRules(owner, forumReaders);
    await hideTexts(owner, forumReaders);
    const unreads = await makeUnread(owner, readers.members, turns * marks);
    const [unread, applications] = [inTurns(unreads, marks), inTurns(sent, marks)];
    const burst = await largeDrafts(owner, world, officer);
    const passkeys = await givePasskeys(owner, world.members);
    const passkeySignIns = () => preparePasskeySignIns(product, passkeys, signIns);
    const saml = await connectSaml(product, world, admin);
    const samlResponses = () => prepareSamlResponses(product, saml, world.members, signIns);
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
      giving,
      forumReaders,
      forumModerators,
      ownerUrl,
      tellings,
      passkeySignIns,
      samlResponses,
    };
    const setting: Setting = { world, ...servers, neighbour, readers, burst, bare, ...load };
    return { all: await casesOf(setting), telling: deliveryCases(setting), world };
  });
}

async function measureCases(cases: Case[], apiPids: number[], generator: Generator, { rounds, warmUp: warm }: Length) {
  const results: Measurement[] = [];
  console.log('Warming up …');
  await warmUp(cases, generator, warm);
  for (const benchCase of cases) {
    console.log(`Measuring: ${benchCase.name} …`);
    let memoryBytes = 0;
    const note = (bytes: number) => (memoryBytes = Math.max(memoryBytes, bytes));
    const figures = await measure(benchCase, rounds, generator, (work) => watchMemory(apiPids, note, work));
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
