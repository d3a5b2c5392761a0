/**
 * Checks the ledger: runs every query of each area's `invariants.sql` on one snapshot, as the owner role, which sees
 * all tenants.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, type ClientBase } from 'pg';

/** A rule about the data; its query returns the rows that break the rule. */
export interface Invariant {
  /** The rule, as a sentence. */
  name: string;
  /** SQL that follows FROM in the query that counts the examined rows. */
  examines: string;
  /** Whether every role sees these rows. Counting them then does not prove that the role sees all tenants. */
  platform: boolean;
  query: string;
}

export interface InvariantResult {
  name: string;
  /** Number of rows that the rule applies to. */
  examined: number;
  platform: boolean;
  violations: Violation[];
}

/** One row that breaks a rule: ids and amounts in cents. */
export type Violation = Record<string, unknown>;

export interface LedgerReport {
  organizations: number;
  /** Number of tenants' rows that all invariants together examined. */
  examined: number;
  invariants: InvariantResult[];
  violations: { invariant: string; row: Violation }[];
  /** Whether the check succeeded: no rule is broken, and rows were examined if organizations exist. */
  passed: boolean;
}

/** Maximum number of violations listed per invariant. A single violation already fails the check. */
const MAX_VIOLATIONS = 1000;

const FILES = ['organizations', 'intake', 'finances', 'foundation', 'processes'].map((area) =>
  path.join(__dirname, '..', area, 'invariants.sql'),
);

/** Splits the SQL files at their `-- name:` lines. */
export function readInvariants(files = FILES): Invariant[] {
  const blocks = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split(/^-- name: /m)
      .slice(1),
  );
  return blocks.map((block) => {
    const [name = '', ...lines] = block.split('\n');
    const [, platform, examines] = /^-- examines( platform table)?: (.+)$/.exec(lines[0] ?? '') ?? [];
    if (!examines) throw new Error(`The invariant '${name}' does not say what it examines.`);
    return { name, examines, platform: platform !== undefined, query: lines.join('\n').trim().replace(/;$/, '') };
  });
}

/**
 * Checks the ledger over its own connection.
 * @param ownerUrl connection URL of the owner role, which sees every tenant; with another role no rows are examined,
 * and the check fails
 */
export async function checkLedger(ownerUrl: string): Promise<LedgerReport> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'check-ledger' });
  await client.connect();
  try {
    return await checkLedgerOver(client);
  } finally {
    await client.end();
  }
}

/**
 * Checks the ledger over an open connection of the owner role and keeps its prepared statements for the next check.
 * @throws any error of the connection, which must not be used afterwards
 */
export async function checkLedgerOver(client: ClientBase): Promise<LedgerReport> {
  // Run all queries on one snapshot: otherwise money that moves between two queries would look missing.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const organizations = await count(client, 'organizations', 'organizations');
  const invariants: InvariantResult[] = [];
  for (const [n, invariant] of readInvariants().entries()) invariants.push(await check(client, invariant, n));
  await client.query('COMMIT');
  return summary(organizations, invariants);
}

async function check(client: ClientBase, invariant: Invariant, n: number): Promise<InvariantResult> {
  const { name, examines, platform, query } = invariant;
  const examined = await count(client, examines, `examined ${n}`);
  const { rows } = await client.query<{ row: Violation }>({
    name: `rule ${n}`,
    text: `SELECT to_jsonb(v) AS row FROM (${query}) v LIMIT ${MAX_VIOLATIONS}`,
  });
  return { name, examined, platform, violations: rows.map(({ row }) => row) };
}

async function count(client: ClientBase, source: string, name: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>({ name, text: `SELECT count(*) FROM ${source}` });
  return Number(rows[0]?.count);
}

function summary(organizations: number, invariants: InvariantResult[]): LedgerReport {
  const examined = invariants.filter(({ platform }) => !platform).reduce((sum, result) => sum + result.examined, 0);
  const violations = invariants.flatMap(({ name, violations: rows }) => rows.map((row) => ({ invariant: name, row })));
  const hasExaminedRows = examined > 0 || organizations === 0;
  return { organizations, examined, invariants, violations, passed: hasExaminedRows && violations.length === 0 };
}
