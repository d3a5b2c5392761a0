import { firstRow } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type ACCOUNT_KINDS, BALANCES, entriesOf, type AccountType, WITHIN } from './entries.js';

export interface StatementEntry {
  kind: (typeof ACCOUNT_KINDS)[number];
  description: string;
  /** Day in the organization's time zone, YYYY-MM-DD. */
  day: string;
  effect_cents: number;
  credit_cents: number;
  running_balance_cents: number;
}

export interface Statement {
  organization: string;
  color: string | null;
  chapter: string;
  /** Name of the account's owner. */
  payer: string;
  currency: string;
  officers_see_amounts: boolean;
  /** Time of reading, in UTC. */
  as_of: string;
  from: string | null;
  to: string;
  opening_balance_cents: number;
  closing_balance_cents: number;
  /** The present credit, independent of the span. */
  available_credit_cents: number;
  /** Number of entries in the span. */
  count: number;
  /** Entries, oldest first. If the span has more than the maximum, only the first ones are included. */
  entries: StatementEntry[];
}

/** SQL of the owner of account `$1`, with the chapter `c` and the name `payer`. */
const OWNER_SQL: Record<AccountType, string> = {
  chapter: `SELECT c.organization_id, c.id AS chapter_id, c.name AS chapter, c.name AS payer, NULL::uuid AS membership_id FROM chapters c WHERE c.id = $1`,
  member: `SELECT m.organization_id, m.chapter_id, c.name AS chapter, u.first_name || ' ' || u.last_name AS payer, m.id AS membership_id
    FROM memberships m JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id JOIN users u ON u.id = m.user_id
   WHERE m.id = $1`,
};

/**
 * Reads a payer's account statement in one statement of SQL: the balance at the start of the span, its entries, and the
 * balance at its end. It agrees to the cent with the ledger and the explanations.
 * @param id the chapter or the membership
 * @param span days in the organization's time zone, inclusive
 * @param maxEntries maximum number of entries
 * @throws Refusal not_found
 */
export const readStatement = async (
  payer: AccountType,
  id: string,
  { from = null, to = null }: { from?: string | null | undefined; to?: string | null | undefined },
  maxEntries: number,
): Promise<Statement> =>
  requireFound(
    await firstRow<Statement>(
      `WITH RECURSIVE ${entriesOf(payer)}, owner AS (${OWNER_SQL[payer]})
       SELECT o.name AS organization, o.primary_color AS color, w.chapter, w.payer, coalesce(s.currency, 'usd') AS currency,
              app.officers_see_amounts(o.id) AS officers_see_amounts,
              to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS as_of,
              $3::text AS "from", coalesce($4::text, app.local_day(o.timezone)::text) AS "to",
              ${BALANCES},
              app.credit_balance(w.chapter_id, w.membership_id) AS available_credit_cents,
              (SELECT count(*)::int FROM ledger_entries t WHERE ${WITHIN}) AS count,
              (SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'description', t.description, 'day', t.day,
                  'effect_cents', t.effect_cents, 'credit_cents', t.credit_cents, 'running_balance_cents', t.running_balance_cents)
                  ORDER BY t.position), '[]')
                 FROM (SELECT * FROM ledger_entries t WHERE ${WITHIN} ORDER BY t.position LIMIT $5) t) AS entries
         FROM owner w JOIN organizations o ON o.id = w.organization_id
         LEFT JOIN org_dues_settings s ON s.organization_id = o.id
        WHERE w.organization_id = (SELECT app.org_id())`,
      [id, null, from, to, maxEntries],
    ),
  );
