import type { Migration } from '../../schemaFiles.js';

/** The expression of `models/organizations/search.ts`: Postgres uses an index only for exactly this expression. */
const key = (text: string): string => String.raw`CASE WHEN octet_length(${text}) = length(${text}) THEN lower(${text})
  ELSE translate(lower(regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g')), 'øłđıς', 'oldiσ') END`;

const NAME = `first_name || ' ' || last_name`;
const TURNED = `last_name || ' ' || first_name`;

/**
 * Normalizes names to Unicode normalization form C, so that equal names have equal bytes, and adds search keys of
 * names, which ignore case, accents and Unicode form.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    UPDATE users SET first_name = normalize(first_name, NFC), last_name = normalize(last_name, NFC)
     WHERE first_name IS NOT NFC NORMALIZED OR last_name IS NOT NFC NORMALIZED;
    UPDATE sso_connections SET name = normalize(name, NFC) WHERE name IS NOT NFC NORMALIZED;
    UPDATE webauthn_credentials SET name = normalize(name, NFC) WHERE name IS NOT NFC NORMALIZED;
    -- a trigger updates the rosters; no deferred check may be pending when a table is altered
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE users ADD CONSTRAINT users_names_normalized
      CHECK (first_name IS NFC NORMALIZED AND last_name IS NFC NORMALIZED);
    DROP INDEX users_search_name, users_search_last_name, users_search_trigrams;
    CREATE INDEX users_search_name ON users (((${key(NAME)}) COLLATE "C"), id);
    CREATE INDEX users_search_last_name ON users (((${key(TURNED)}) COLLATE "C"), id);
    CREATE INDEX users_search_trigrams ON users USING gin ((${key(NAME)}) gin_trgm_ops);
  `);

export const down: Migration['down'] = ({ run }) =>
  run(`
    DROP INDEX users_search_name, users_search_last_name, users_search_trigrams;
    CREATE INDEX users_search_name ON users ((lower(${NAME}) COLLATE "C"), id);
    CREATE INDEX users_search_last_name ON users ((lower(${TURNED}) COLLATE "C"), id);
    CREATE INDEX users_search_trigrams ON users USING gin ((lower(${NAME})) gin_trgm_ops);
    ALTER TABLE users DROP CONSTRAINT users_names_normalized;
  `);
