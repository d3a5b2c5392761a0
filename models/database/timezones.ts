import { invalid } from '../errors.js';
import { oneRow } from './rows.js';

/** Postgres, which computes days and nights of a place, has to know its name. @throws Refusal validation_error */
export async function requireTimezone(name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { known } = await oneRow<{ known: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM pg_timezone_names WHERE name = $1) AS known',
    [name],
  );
  if (!known) throw invalid('timezone', 'Must be a name of the tz database, for example America/New_York.');
}
