/** How much the large seed holds. Everything but dates is the same each time; dates are relative to the day of seeding. */

export interface Scale {
  organizations: number;
  chapters: number;
  /** In each chapter; a multiple of 25, over which the states of invoices repeat. */
  members: number;
}

/** Five invoices and three payments a member: 100,000 members, 500,000 invoices, 300,000 payments. */
export const LARGE: Scale = { organizations: 20, chapters: 40, members: 125 };

/** `large-01`, `large-02` …: fixed, so that a second run knows what is done. */
export const largeSlug = (organization: number): string => `large-${String(organization).padStart(2, '0')}`;

/**
 * Ids that are the same in every database and ordered as made ones are: a time in front (of January 2024, so that
 * everything made later comes after), then a digest of what the row is.
 */
export const SEEDED_ID = `CREATE OR REPLACE FUNCTION pg_temp.seeded_id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
  AS $$ SELECT (lpad(to_hex(1704067200000 + n), 12, '0') || '7' || substr(d, 1, 3) || '8' || substr(d, 4, 15))::uuid
          FROM md5(kind || ':' || n) AS d $$`;
