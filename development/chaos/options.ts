/** What the chaos command is asked for. */
import { readCommandLine } from '../../bin/commandLine.js';

const PARTS = ['api', 'worker', 'temporal', 'postgres', 'gateway', 'push'] as const;
/**
 * The same where there are two of each, with the pooler between them and Postgres, and the replica that is read. `node` is one of
 * Temporal's nodes for good: another comes in its place, at another address.
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
/** The parts of a run's stack that may be killed. */
export const partsOf = ({ cluster }: { cluster: boolean }): readonly Part[] => (cluster ? CLUSTER_PARTS : PARTS);
/** What a part does, whichever of the two it is. */
export const roleOf = (part: string): string => part.replace(/-\d$/, '');

export const PLANTS = [
  'no-intent',
  'no-reservation',
  'split-settlement',
  'no-sweep',
  'no-look',
  'send-before-claim',
  'push-before-claim',
] as const;
/** A fault that is put in to see whether it is found. */
export type Plant = (typeof PLANTS)[number];

export interface ChaosOptions {
  kills: number;
  seed: number;
  /** Whether there are two of each, on a cluster of Temporal. */
  cluster: boolean;
  parts: Part[];
  plants: Plant[];
  /** People who use the platform at once. */
  people: number;
  /** How long the platform may take to come to rest at the end, in seconds. */
  patience: number;
  /** Where the report is written as JSON. */
  report: string | null;
  /** Whether the folder with databases and logs stays. */
  keep: boolean;
}

const DEFAULT_KILLS = 60;
const DEFAULT_PEOPLE = 10;
const DEFAULT_PATIENCE = 180;

const USAGE = `chaos [--cluster] [--kills <n>] [--seed <n>] [--parts ${PARTS.join(',')}] [--people <n>] [--patience <seconds>]
             [--report <file.json>] [--keep] [--plant ${PLANTS.join(',')}]`;

/** @throws Error that names the wrong option */
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
    parts: (values.parts?.split(',') ?? [...all]).map((part) => known('--parts', part, all)),
    plants: (values.plant?.split(',') ?? []).map((plant) => known('--plant', plant, PLANTS)),
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

function known<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text);
  if (!choice) throw new Error(`${option}: ${text} is none of ${choices.join(', ')}.`);
  return choice;
}
