/** The plans that Postgres executed, sent by its auto_explain as notices, and the rows that they read. */
import pg from 'pg';
import { databaseUrl, FACTS, type Facts } from '../../support/environment/facts.js';
import { closeOwner } from '../../support/owner.js';

/** The fields of a node of EXPLAIN (ANALYZE, FORMAT JSON) that the tests use. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Heap Fetches'?: number;
  Plans?: PlanNode[];
}

/** One scan of a large table. */
export interface Scan {
  table: string;
  node: string;
  index: string | undefined;
  /** Rows that it read, in all loops: returned and discarded ones. */
  rows: number;
  /** Answered by the index alone, except for the few rows of pages that are not all-visible yet. */
  indexOnly: boolean;
}

export interface Explained {
  /** Statements that were run, also those within functions. */
  statements: number;
  scans: Scan[];
}

/** Settings for `ALTER DATABASE … SET`, by a superuser. */
const AUTO_EXPLAIN: Record<string, string> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_parameter_max_length': '0',
  // The part of a query text that does not fit into a notice is not needed.
  jit: 'off',
};

/** Connections opened from now on send their plans. */
export async function tellPlans(): Promise<void> {
  await closeOwner();
  const facts = JSON.parse(process.env[FACTS] as string) as Facts;
  const superuser = { name: 'postgres', password: facts.superuserPassword };
  const client = new pg.Client({ connectionString: databaseUrl(facts.postgresPort, superuser, 'postgres') });
  await client.connect();
  const database = new URL(process.env['DATABASE_OWNER_URL'] as string).pathname.slice(1);
  for (const [name, value] of Object.entries(AUTO_EXPLAIN))
    await client.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
  await client.end();
}

interface Listening {
  on(event: 'notice', listener: (notice: { message?: string }) => void): void;
}
type Query = (this: Listening, ...values: unknown[]) => unknown;

/** @param large tables whose scans count. @returns the scans of the statements that were sent during the work */
export async function explain(large: Set<string>, work: () => Promise<unknown>): Promise<Explained> {
  const explained: Explained = { statements: 0, scans: [] };
  const stop = listen((plan) => {
    explained.statements += 1;
    collect(plan, large, explained.scans);
  });
  try {
    await work();
  } finally {
    stop();
  }
  return explained;
}

const heard = new WeakSet<Listening>();
let hear: ((plan: PlanNode) => void) | undefined;

function listen(onPlan: (plan: PlanNode) => void): () => void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  hear = onPlan;
  prototype.query = function listened(this: Listening, ...values: unknown[]) {
    if (!heard.has(this)) this.on('notice', ({ message = '' }) => tell(message));
    heard.add(this);
    return original.apply(this, values);
  };
  return () => {
    prototype.query = original;
    hear = undefined;
  };
}

function tell(message: string): void {
  const plan = /^duration: .* plan:\n([\s\S]*)$/.exec(message)?.[1];
  if (plan) hear?.((JSON.parse(plan) as { Plan: PlanNode }).Plan);
}

function collect(node: PlanNode, large: Set<string>, into: Scan[]): void {
  const table = node['Relation Name'];
  if (table && large.has(table)) {
    const each =
      (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    const rows = Math.round(each * (node['Actual Loops'] ?? 1));
    into.push({
      table,
      node: node['Node Type'],
      index: node['Index Name'],
      rows,
      indexOnly: node['Node Type'] === 'Index Only Scan' && (node['Heap Fetches'] ?? 0) <= rows / 10,
    });
  }
  for (const child of node.Plans ?? []) collect(child, large, into);
}
