/** Secrets of the bench's own stack, as good as those of production: made once and kept with its data. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Secrets {
  owner: string;
  runtime: string;
  jwt: string;
  data: string;
  payload: string;
}

/** Reads the folder's secrets, or makes them. */
export function secretsOf(dataDir: string): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch {
    const secret = (encoding: 'hex' | 'base64') => randomBytes(32).toString(encoding);
    const made = {
      owner: secret('hex'),
      runtime: secret('hex'),
      jwt: secret('hex'),
      data: secret('base64'),
      payload: secret('base64'),
    };
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
    return made;
  }
}
