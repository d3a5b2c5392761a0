/**
 * The chaos command: a short run in which nothing is lost, and injected faults that it must detect.
 * @jest-environment node
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { installedTemporalServer } from '../../development/stack/cluster/findTemporalServer.js';
import { Dice } from '../../development/chaos/dice.js';
import type { Plant } from '../../development/chaos/options.js';

interface Ended {
  code: number | null;
  output: string;
  /** The folder of its databases. */
  folder: string;
}

const started: ChildProcess[] = [];

/** Starts the command. @param heard gets the whole output so far, as it arrives */
function chaos(
  options: string,
  heard: (output: string, child: ChildProcess) => void = () => undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/development/chaos.js', ...options.split(' ')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
      heard(output, child);
    });
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, output, folder: folderIn(output) });
    });
  });
}

const folderIn = (output: string): string => /Starting a platform in (\S+)/.exec(output)?.[1] ?? '';

/** Processes whose environment or command line names the folder. */
function processesOf(folder: string): string[] {
  const mentions = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  };
  const all = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return all.filter((pid) => mentions(pid, 'environ') || mentions(pid, 'cmdline'));
}

/** Counts the parts of a platform that run now. */
function partsIn(folder: string): string[] {
  try {
    const entries = JSON.parse(readFileSync(`${folder}/processes.json`, 'utf8')) as { name: string }[];
    return entries.map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Waits until a platform has started this part, for at most one minute. @returns all parts that run then */
async function untilStarted(folder: string, part: string): Promise<string[]> {
  for (let looks = 0; looks < 600 && !partsIn(folder).includes(part); looks += 1) await sleep(100);
  return partsIn(folder);
}

function expectNothingLeft({ folder }: Ended): void {
  expect(folder).toContain('membership-chaos-');
  expect(existsSync(folder)).toBe(false);
  expect(processesOf(folder)).toEqual([]);
}

/**
 * The killer takes the parts in turn: seven kills are each part once, in an order that the seed shuffles, and one of them again
 * while another may still be down. CHAOS_KILLS=60 makes it as long as `npm run chaos -- --kills 60`.
 */
const KILLS = Number(process.env['CHAOS_KILLS'] ?? 7);

afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGTERM');
});

test('the platform loses no data while every part is killed repeatedly, and no process is left behind', async () => {
  const run = await chaos(`--kills ${KILLS} --seed 12${KILLS < 20 ? ' --people 5' : ''}`);
  expect(run.output).toContain(`Nothing was lost: ${KILLS} kills (--kills ${KILLS} --seed 12)`);
  expect(run.output).not.toContain('BROKEN');
  expect(run.code).toBe(0);
  for (const part of ['api', 'worker', 'temporal', 'postgres', 'gateway', 'push'])
    expect(run.output).toMatch(new RegExp(`kill \\d+/${KILLS} +${part}`));
  expectNothingLeft(run);
}, 900_000);

// Where the server is missing, building it takes minutes and a network: `npm run cluster` does so once.
const onCluster = installedTemporalServer() ? test : test.skip;
const why = installedTemporalServer()
  ? ''
  : " (skipped: Temporal's server is not in the cache; npm run cluster builds it)";

/** CLUSTER_KILLS=60 makes it as long as the full run. */
const CLUSTER_KILLS = Number(process.env['CLUSTER_KILLS'] ?? 6);
/** Each kind of which there are two, one node of Temporal permanently, and the parts that both share. */
const KILLED_ON_CLUSTER = ['api-1', 'worker-2', 'temporal-2', 'node', 'pooler', 'replica'];

onCluster(
  `nothing is lost where there are two of each, and either of them is killed${why}`,
  async () => {
    const parts = CLUSTER_KILLS < 12 ? ` --parts ${KILLED_ON_CLUSTER.join(',')}` : '';
    const run = await chaos(`--cluster --kills ${CLUSTER_KILLS} --seed 3${parts}`);
    expect(run.output).toContain(
      `Nothing was lost: ${CLUSTER_KILLS} kills (--cluster --kills ${CLUSTER_KILLS} --seed 3)`,
    );
    expect(run.output).not.toContain('BROKEN');
    expect(run.code).toBe(0);
    expect(run.output).toMatch(/ok +[1-9]\d* {2}each API reads from the replica again/);
    for (const part of KILLED_ON_CLUSTER) expect(run.output).toMatch(new RegExp(`kill \\d+/${CLUSTER_KILLS} +${part}`));
    expectNothingLeft(run);
  },
  900_000,
);

/** Each fault shows at its own moment, and is detected by its own rule. */
const FAULTS: Record<Plant, string> = {
  'no-intent': 'a charge whose id was not committed before the gateway was asked is captured twice',
  'split-settlement': 'a settlement in two transactions pays for nobody when it is cut in half',
  'no-sweep': 'an outbox that nobody sweeps keeps what could not be dispatched',
  'no-look': 'a page that the gateway is not asked about is paid, and nobody knows',
  'send-before-claim': 'a mail that is claimed when it is out is nobody’s when its worker dies in between',
  'push-before-claim': 'a push that is written down when it is answered reaches a phone, and nobody knows',
  'total-outside': 'a total of a campaign that is kept outside of the transaction of its entries differs from them',
  'no-second-look': 'a charge that is confirmed without reading its pledge again succeeds after the cancellation',
  'cursor-bulletin': 'a bulletin that goes on by a cursor mails an address twice when its worker dies',
  'no-reservation': 'a refund that is not asked for as it was reserved goes back twice when its worker dies in between',
};

describe('injected faults', () => {
  const runs: Ended[] = [];
  const isFound = (fault: Plant) => runs.some(({ output }) => output.includes(`Planted fault ${fault}: found.`));

  beforeAll(async () => {
    // Seven faults show when a worker dies, two when Temporal does, one without a kill, and workers die twice for each time that
    // Temporal does: eleven kills contain each moment. Pending work at that time is random, so that a busy machine may miss one: a fault that did not
    // show is injected once more.
    for (const seed of [4, 5]) {
      const unseen = (Object.keys(FAULTS) as Plant[]).filter((fault) => !isFound(fault));
      if (unseen.length === 0) break;
      runs.push(
        await chaos(
          `--plant ${unseen.join(',')} --parts worker,worker,temporal --kills 11 --seed ${seed} --people 5 --patience 5`,
        ),
      );
    }
  }, 900_000);

  test.each((Object.keys(FAULTS) as Plant[]).map((fault) => [FAULTS[fault], fault] as const))(
    'the chaos command detects the fault: %s',
    (_, fault) => {
      expect([isFound(fault), ...(isFound(fault) ? [] : runs.map(({ output }) => output))]).toEqual([true]);
    },
  );

  test('the chaos command reports a detected fault, and no process is left behind', () => {
    for (const run of runs) {
      expect(run.output).toMatch(/FAILED after \d+ kills/);
      expect(run.code).toBe(1);
      expectNothingLeft(run);
    }
  });
});

test('the same seed makes the same decisions, independently for each purpose', () => {
  const decisions = (seed: number, purpose: string) => {
    const dice = new Dice(seed).for(purpose);
    return [
      ...dice.shuffled(['api', 'worker', 'postgres', 'gateway']),
      ...Array.from({ length: 20 }, () => dice.between(1, 6)),
    ];
  };
  expect(decisions(7, 'kills')).toEqual(decisions(7, 'kills'));
  expect(decisions(7, 'kills')).not.toEqual(decisions(8, 'kills'));
  expect(decisions(7, 'kills')).not.toEqual(decisions(7, 'load'));
  expect(new Set(decisions(7, 'kills').slice(4))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
});

test('Ctrl-C ends everything that was started, also parts that are still starting', async () => {
  let running: Promise<string[]> | undefined;
  const run = await chaos('--kills 12 --seed 1', (output, child) => {
    const folder = folderIn(output);
    if (folder) running ??= untilStarted(folder, 'worker').finally(() => child.kill('SIGINT'));
  });
  expect(await running).toEqual(expect.arrayContaining(['postgres', 'temporal', 'gateway', 'api', 'worker']));
  expect(run.code).toBe(130);
  expectNothingLeft(run);
});

test.each([
  ['--kills many', '--kills must be a whole number from 0.'],
  [
    '--plant gremlins',
    '--plant: gremlins must be one of no-intent, no-reservation, split-settlement, no-sweep, no-look, send-before-claim, push-before-claim, total-outside, no-second-look, cursor-bulletin.',
  ],
])('the chaos command refuses an invalid option: %s', async (options, message) => {
  const { code, output } = await chaos(options);
  expect([code, output]).toEqual([1, `${message}\n`]);
});
