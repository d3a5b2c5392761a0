import { invalid } from '../errors.js';
import { oneRow } from './rows.js';

/** Requires a time zone that Postgres knows. @throws Refusal validation_error */
export async function requireTimezone(name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { known } = await oneRow<{ known: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM pg_timezone_names WHERE name = $1) AS known',
    [name],
  );
  if (!known) throw invalid('timezone', 'Must be a name of the tz database, for example America/New_York.');
}
