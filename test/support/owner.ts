/** SQL as the owner role: arranges states that no endpoint can, and reads rows that row level security hides. */
import pg from 'pg';

let pool: pg.Pool | undefined;

/** Rows of a statement run as the owner of this test file's database. */
export async function asOwner<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  pool ??= open();
  return (await pool.query<Row>(text, values)).rows;
}

/** Runs statements of the owner that need a connection of their own; a connection in an unknown state after a failure is not used again. */
export async function overOwner<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  pool ??= open();
  const client = await pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function open(): pg.Pool {
  const opened = new pg.Pool({ connectionString: process.env['DATABASE_OWNER_URL'], max: 4, allowExitOnIdle: true });
  // Tests stop their own servers; without a listener an idle connection that is cut would end the test process.
  return opened.on('error', () => undefined);
}

/** Call in `afterAll`, so that Jest ends. */
export async function closeOwner(): Promise<void> {
  await pool?.end();
  pool = undefined;
}
