import { firstRow } from '../../database/rows.js';
import { found } from '../../errors.js';
import { type ACCOUNT_KINDS, BALANCES, entriesOf, type Payer, WITHIN } from './entries.js';

export interface StatementEntry {
  kind: (typeof ACCOUNT_KINDS)[number];
  description: string;
  /** The organization's day, YYYY-MM-DD. */
  day: string;
  effect_cents: number;
  credit_cents: number;
  running_balance_cents: number;
}

export interface Statement {
  organization: string;
  color: string | null;
  chapter: string;
  /** Whose account it is. */
  payer: string;
  currency: string;
  officers_see_amounts: boolean;
  /** When it was read, in UTC. */
  as_of: string;
  from: string | null;
  to: string;
  opening_balance_cents: number;
  closing_balance_cents: number;
  /** Now, whatever the span. */
  available_credit_cents: number;
  /** Of the span. */
  count: number;
  /** The oldest first, and of a longer span the first ones. */
  entries: StatementEntry[];
}

/** SQL of whose account `$1` is, with the chapter `c` and, of a member, the name `payer`. */
const WHOSE: Record<Payer, string> = {
  chapter: `SELECT c.organization_id, c.id AS chapter_id, c.name AS chapter, c.name AS payer, NULL::uuid AS membership_id FROM chapters c WHERE c.id = $1`,
  member: `SELECT m.organization_id, m.chapter_id, c.name AS chapter, u.first_name || ' ' || u.last_name AS payer, m.id AS membership_id
    FROM memberships m JOIN chapters c ON c.organization_id = m.organization_id AND c.id = m.chapter_id JOIN users u ON u.id = m.user_id
   WHERE m.id = $1`,
};

/**
 * What a payer owed when the span began, all that happened within it, and what is owed after it, to the cent what the ledger and
 * the explanations say. In one statement.
 * @param id the chapter or the membership. @param from @param to days by the organization's clock, both within. @param most entries that are read
 * @throws Refusal not_found
 */
export const readStatement = async (
  payer: Payer,
  id: string,
  { from = null, to = null }: { from?: string | null | undefined; to?: string | null | undefined },
  most: number,
): Promise<Statement> =>
  found(
    await firstRow<Statement>(
      `WITH RECURSIVE ${entriesOf(payer)}, whose AS (${WHOSE[payer]})
       SELECT o.name AS organization, o.primary_color AS color, w.chapter, w.payer, coalesce(s.currency, 'usd') AS currency,
              app.officers_see_amounts(o.id) AS officers_see_amounts,
              to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS as_of,
              $3::text AS "from", coalesce($4::text, app.local_day(o.timezone)::text) AS "to",
              ${BALANCES},
              app.credit_balance(w.chapter_id, w.membership_id) AS available_credit_cents,
              (SELECT count(*)::int FROM told t WHERE ${WITHIN}) AS count,
              (SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'description', t.description, 'day', t.day,
                  'effect_cents', t.effect_cents, 'credit_cents', t.credit_cents, 'running_balance_cents', t.running_balance_cents)
                  ORDER BY t.position), '[]')
                 FROM (SELECT * FROM told t WHERE ${WITHIN} ORDER BY t.position LIMIT $5) t) AS entries
         FROM whose w JOIN organizations o ON o.id = w.organization_id
         LEFT JOIN org_dues_settings s ON s.organization_id = o.id
        WHERE w.organization_id = (SELECT app.org_id())`,
      [id, null, from, to, most],
    ),
  );
