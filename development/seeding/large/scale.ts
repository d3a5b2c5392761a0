/**
 * The size of the large seed. Everything is the same each time, except for dates, which are relative to the day of
 * seeding.
 */

export interface Scale {
  organizations: number;
  chapters: number;
  /** Members per chapter; a multiple of 25, because the states of invoices repeat every 25 members. */
  members: number;
  /** Donors per organization, with five gifts each. */
  donors: number;
  /** Posts in forums per organization, with three comments each. */
  posts: number;
}

/** Five invoices and three payments per member: 100,000 members, 500,000 invoices, 300,000 payments; 100,000 donors, 500,000 gifts; 100,000 posts. */
export const LARGE: Scale = { organizations: 20, chapters: 40, members: 125, donors: 5_000, posts: 5_000 };

/** Returns the slug `large-01`, `large-02` …: fixed, so that a second run finds the existing organizations. */
export const largeSlug = (organization: number): string => `large-${String(organization).padStart(2, '0')}`;

/**
 * SQL function that computes ids which are equal in every database and sort like UUIDv7. An id consists of a time in
 * January 2024, so that ids created later sort after it, and a digest of the row's kind and number.
 */
export const SEEDED_ID = `CREATE OR REPLACE FUNCTION pg_temp.seeded_id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
  AS $$ SELECT (lpad(to_hex(1704067200000 + n), 12, '0') || '7' || substr(d, 1, 3) || '8' || substr(d, 4, 15))::uuid
          FROM md5(kind || ':' || n) AS d $$`;
