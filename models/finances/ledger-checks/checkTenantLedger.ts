import { currentOrganization, oneRow } from '../../database/rows.js';
import { type Invariant, readInvariants, type Violation } from '../checkLedger.js';
import type { CheckedRule } from './LedgerCheck.js';

const MAX_VIOLATIONS = 20;

/** The rules of the ledger, applied to the rows of one organization. */
export interface TenantLedger {
  /** Whether no row breaks a rule, and rows were examined if the organization has invoices. */
  passed: boolean;
  examined: number;
  rules: CheckedRule[];
}

/**
 * Checks the rules of the ledger in the open transaction, as the runtime role: row level security limits them to the
 * tenant's rows. Leaves out rules about platform tables, of which every role sees all rows. The transaction must read
 * one snapshot.
 */
export async function checkTenantLedger(): Promise<TenantLedger> {
  const rules: CheckedRule[] = [];
  for (const invariant of readInvariants()) if (!invariant.platform) rules.push(await checkRule(invariant));
  const examined = rules.reduce((sum, rule) => sum + rule.examined, 0);
  const isSound = rules.every(({ violations }) => violations.length === 0);
  return { passed: isSound && (examined > 0 || !(await hasAnyInvoice())), examined, rules };
}

async function checkRule({ name, examines, query }: Invariant): Promise<CheckedRule> {
  const { examined, violations } = await oneRow<{ examined: number; violations: Violation[] }>(
    `SELECT (SELECT count(*) FROM ${examines}) AS examined,
            (SELECT coalesce(jsonb_agg(v), '[]') FROM (SELECT * FROM (${query}) broken LIMIT ${MAX_VIOLATIONS}) v) AS violations`,
  );
  return { name, examined, violations: violations.map(idsAndCents) };
}

/** Keeps the ids and the amounts of a row, because other values may be about persons. */
const idsAndCents = (row: Violation) =>
  Object.fromEntries(
    Object.entries(row).filter(([column]) => /(^|_)(id|cents)$/.test(column)),
  ) as CheckedRule['violations'][number];

/** Counts independently of row level security, so that a check that sees no rows does not pass. */
const hasAnyInvoice = async (): Promise<boolean> =>
  (await oneRow<{ found: boolean }>('SELECT app.has_any_invoice($1) AS found', [currentOrganization()])).found;
