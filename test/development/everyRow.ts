import { asOwner } from '../support/owner.js';

/** Digests the rows of each table, to detect changes. */
export const everyRow = () =>
  asOwner<{ facts: string }>(
    `SELECT string_agg(relname || xml, E'\\n' ORDER BY relname) AS facts FROM (
       SELECT relname, query_to_xml(format('SELECT md5(string_agg(t::text, '' '' ORDER BY t::text)) AS digest FROM %I t', relname), true, false, '')::text AS xml
         FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) tables`,
  );
