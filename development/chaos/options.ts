/** The options of the chaos command. */
import { readCommandLine } from '../../bin/commandLine.js';

const PARTS = ['api', 'worker', 'temporal', 'postgres', 'gateway', 'push'] as const;
/**
 * The parts of a cluster: two instances of each, the pooler in front of Postgres, and the read replica. To kill `node`
 * means to remove one of Temporal's nodes for good; a new node replaces it at another address.
 */
const CLUSTER_PARTS = [
  'api-1',
  'api-2',
  'worker-1',
  'worker-2',
  'temporal-1',
  'temporal-2',
  'node',
  'pooler',
  'postgres',
  'replica',
  'gateway',
  'push',
] as const;
/** A part of the stack that is killed. */
export type Part = (typeof PARTS | typeof CLUSTER_PARTS)[number];
/** Returns the parts of a run's stack that may be killed. */
export const partsOf = ({ cluster }: { cluster: boolean }): readonly Part[] => (cluster ? CLUSTER_PARTS : PARTS);
/** Returns the role of a part, without the number of the instance. */
export const roleOf = (part: string): string => part.replace(/-\d$/, '');

/** The bugs that can be put into the platform, each with the beginning of the rule that must find it. */
export const FOUND_BY = {
  'no-intent': 'a remittance is captured at most once at the gateway',
  'no-reservation': 'every refund that the platform requested has exactly one row',
  'split-settlement': 'every allocation of a settled remittance has its own child payment',
  'no-sweep': 'nothing is stuck in the outbox',
  'no-look': 'payments on a page are found before their event arrives',
  'send-before-claim': 'every mail was claimed before it was sent',
  'push-before-claim': 'every push was recorded before it was sent',
  'total-outside': "the totals of donors, campaigns and funds are the sums of their gifts' entries",
  'no-second-look': 'a charge that succeeds after its pledge was cancelled was confirmed before that',
  'cursor-bulletin': 'each address got a bulletin at most once',
} as const;
/** A bug that is deliberately put into the platform, to test whether the checks find it. */
export type Plant = keyof typeof FOUND_BY;
const PLANTS = Object.keys(FOUND_BY) as Plant[];

export interface ChaosOptions {
  kills: number;
  seed: number;
  /** Whether the stack has two of each part, on a Temporal cluster. */
  cluster: boolean;
  parts: Part[];
  plants: Plant[];
  /** Number of concurrent users. */
  people: number;
  /** Maximum time without progress until the platform is idle at the end, in seconds. */
  patience: number;
  /** File for the report as JSON. */
  report: string | null;
  /** Whether the folder with databases and logs is kept. */
  keep: boolean;
}

const DEFAULT_KILLS = 60;
const DEFAULT_PEOPLE = 10;
const DEFAULT_PATIENCE = 180;

const USAGE = `chaos [--cluster] [--kills <n>] [--seed <n>] [--parts ${PARTS.join(',')}] [--people <n>] [--patience <seconds>]
             [--report <file.json>] [--keep] [--plant ${PLANTS.join(',')}]`;

/**
 * Reads the options from the command line.
 * @throws Error that names the wrong option
 */
export function readOptions(args: string[]): ChaosOptions {
  const values = readCommandLine(
    USAGE,
    {
      cluster: { type: 'boolean', default: false },
      kills: { type: 'string' },
      seed: { type: 'string' },
      parts: { type: 'string' },
      plant: { type: 'string' },
      people: { type: 'string' },
      patience: { type: 'string' },
      report: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
    args,
  );
  const all = partsOf(values);
  return {
    cluster: values.cluster,
    kills: whole('--kills', values.kills, 0) ?? DEFAULT_KILLS,
    seed: whole('--seed', values.seed, 0) ?? Math.floor(Math.random() * 1_000_000),
    parts: (values.parts?.split(',') ?? [...all]).map((part) => oneOfChoices('--parts', part, all)),
    plants: (values.plant?.split(',') ?? []).map((plant) => oneOfChoices('--plant', plant, PLANTS)),
    people: whole('--people', values.people, 1) ?? DEFAULT_PEOPLE,
    patience: whole('--patience', values.patience, 1) ?? DEFAULT_PATIENCE,
    report: values.report ?? null,
    keep: values.keep,
  };
}

function whole(option: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least)
    throw new Error(`${option} must be a whole number from ${least}.`);
  return number;
}

function oneOfChoices<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text);
  if (!choice) throw new Error(`${option}: ${text} must be one of ${choices.join(', ')}.`);
  return choice;
}
