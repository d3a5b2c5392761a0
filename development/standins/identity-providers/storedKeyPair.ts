/** Stores the key pair of the SAML identity provider, so that a configuration keeps working after a restart. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type KeyPair, makeKeyPair } from '../../../gateways/saml/certificate.js';

export async function storedKeyPair(dataDir: string): Promise<KeyPair> {
  const file = path.join(dataDir, 'saml-identity-provider.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KeyPair;
  } catch {
    const keyPair = await makeKeyPair('saml-identity-provider', Date.now());
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, `${JSON.stringify(keyPair, null, 2)}\n`, { mode: 0o600 });
    return keyPair;
  }
}
