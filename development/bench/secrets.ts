/** Secrets of the bench's own stack, as good as those of production: made once and kept with its data. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Secrets {
  owner: string;
  runtime: string;
  jwt: string;
  data: string;
  payload: string;
  storage: string;
}

/** Reads the folder's secrets, or makes them; one that it has not yet is added. */
export function secretsOf(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const kept = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Partial<Secrets>;
  const secret = (encoding: 'hex' | 'base64') => randomBytes(32).toString(encoding);
  const all = {
    owner: secret('hex'),
    runtime: secret('hex'),
    jwt: secret('hex'),
    data: secret('base64'),
    payload: secret('base64'),
    storage: secret('hex'),
    ...kept,
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, JSON.stringify(all), { mode: 0o600 });
  return all;
}
