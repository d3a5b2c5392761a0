/** The key of the SAML identity provider stays the same, so that a configuration goes on working after a restart. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type KeyPair, makeKeyPair } from '../../../gateways/saml/certificate.js';

export async function keptKeyPair(dataDir: string): Promise<KeyPair> {
  const file = path.join(dataDir, 'saml-identity-provider.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KeyPair;
  } catch {
    const made = await makeKeyPair('saml-identity-provider', Date.now());
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
    return made;
  }
}
