import { asOwner } from '../support/owner.js';

/** A digest of each table's rows, to see whether something changed any. */
export const everyRow = () =>
  asOwner<{ facts: string }>(
    `SELECT string_agg(relname || xml, E'\\n' ORDER BY relname) AS facts FROM (
       SELECT relname, md5(query_to_xml(format('SELECT * FROM %I ORDER BY 1, 2', relname), true, false, '')::text) AS xml
         FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace) tables`,
  );
