/** Reads the run's own database as the owner role, on one connection that is reopened when it is lost. */
import { Client } from 'pg';

export type Row = Record<string, unknown>;

export class Books {
  private client: Client | null = null;

  constructor(private readonly ownerUrl: string) {}

  /**
   * Runs a query and returns its rows.
   * @throws Error when the database is down
   */
  async read<R extends Row = Row>(sql: string, values: unknown[] = []): Promise<R[]> {
    const client = await this.open();
    try {
      return (await client.query<R>(sql, values)).rows;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /**
   * Counts the rows of an SQL source.
   * @throws Error when the database is down
   */
  async count(source: string): Promise<number> {
    const [row] = await this.read<{ n: string }>(`SELECT count(*) AS n FROM ${source}`);
    return Number(row?.n);
  }

  async close(): Promise<void> {
    const client = this.client;
    this.client = null;
    await client?.end().catch(() => undefined);
  }

  private async open(): Promise<Client> {
    if (this.client) return this.client;
    const client = new Client({
      connectionString: this.ownerUrl,
      application_name: 'chaos',
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => {
      if (this.client === client) this.client = null;
    });
    await client.connect();
    this.client = client;
    return client;
  }
}
