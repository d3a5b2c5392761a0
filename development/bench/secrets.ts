/**
 * Secrets of the benchmark's own stack, as strong as in production. They are created once and stored together with the
 * stack's data.
 */
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

/** Reads the secrets from the folder and creates missing ones. */
export function secretsOf(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const stored = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Partial<Secrets>;
  const secret = (encoding: 'hex' | 'base64') => randomBytes(32).toString(encoding);
  const all = {
    owner: secret('hex'),
    runtime: secret('hex'),
    jwt: secret('hex'),
    data: secret('base64'),
    payload: secret('base64'),
    storage: secret('hex'),
    ...stored,
  };
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, JSON.stringify(all), { mode: 0o600 });
  return all;
}
