/** A pool whose queries are named by a digest of their text, so that `pg` prepares each once per connection. */
import { createHash } from 'node:crypto';
import pg from 'pg';

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) names.set(text, (name = createHash('sha1').update(text).digest('base64url')));
  return name;
}

class PreparingClient extends pg.Client {
  constructor(configuration: pg.ClientConfig) {
    super(configuration);
    const send = this.query.bind(this) as (...given: unknown[]) => unknown;
    const prepared = (...given: unknown[]) => {
      const [text, values, ...rest] = given;
      const named = typeof text === 'string' && Array.isArray(values);
      return named ? send({ name: nameOf(text), text, values }, ...rest) : send(...given);
    };
    this.query = prepared as pg.Client['query'];
  }
}

export const preparingPool = (configuration: pg.PoolConfig): pg.Pool =>
  new pg.Pool({ ...configuration, Client: PreparingClient } as unknown as pg.PoolConfig);
