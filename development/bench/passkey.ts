/** A software authenticator (WebAuthn, 6) that answers the product's challenges. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Client } from 'pg';
import type { Call } from './protocol.js';
import { ask, loginCall } from './world.js';

/** The relying party that the benchmark's stack is configured with. */
export const RELYING_PARTY = { id: 'bench.example', origin: 'https://bench.example' };

/** Authenticator flags: user present and user verified. */
const FLAGS = 0x05;

interface Passkey {
  id: string;
  userHandle: string;
  privateKey: KeyObject;
}

/** Inserts a passkey for each person, because registration is not measured. */
export async function givePasskeys(owner: Client, emails: string[]): Promise<Passkey[]> {
  const passkeys: Passkey[] = [];
  for (const email of emails) passkeys.push(await givePasskey(owner, email));
  return passkeys;
}

async function givePasskey(owner: Client, email: string): Promise<Passkey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE_Key (RFC 9052, 7): kty EC2, alg ES256, crv P-256, x, y.
  const coordinate = (text: string) => Buffer.concat([Buffer.from('5820', 'hex'), Buffer.from(text, 'base64url')]);
  const head = Buffer.from('a5010203262001', 'hex');
  const cose = Buffer.concat([head, Buffer.from('21', 'hex'), coordinate(x), Buffer.from('22', 'hex'), coordinate(y)]);
  const id = randomBytes(32).toString('base64url');
  const { rows } = await owner.query<{ user_id: string }>(
    `INSERT INTO webauthn_credentials (user_id, credential_id, public_key, signature_counter, is_synced, name)
     SELECT id, $2, $3, 0, true, 'Bench' FROM users WHERE email = $1 RETURNING user_id`,
    [email, id, cose],
  );
  const userId = rows[0]?.user_id.replaceAll('-', '') ?? '';
  return { id, userHandle: Buffer.from(userId, 'hex').toString('base64url'), privateKey };
}

/** Begins sign-ins and signs the challenges; only the completion is measured. */
export async function preparePasskeySignIns(base: string, passkeys: Passkey[], count: number): Promise<Call[]> {
  const calls: Call[] = [];
  const { headers } = loginCall('');
  for (let n = 0; n < count; n += 1) {
    const begin: Call = { method: 'POST', path: '/api/auth/passkeys/authenticate/begin/', headers, body: '{}' };
    const { challenge } = (await ask(base, begin)) as { challenge: string };
    const credential = assertion(passkeys[n % passkeys.length] as Passkey, challenge);
    const path = '/api/auth/passkeys/authenticate/complete/';
    calls.push({ method: 'POST', path, headers, body: JSON.stringify({ credential }) });
  }
  return calls;
}

function assertion({ id, userHandle, privateKey }: Passkey, challenge: string) {
  const { origin } = RELYING_PARTY;
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
  // The signature counter stays 0, as with synchronized passkeys.
  const authenticatorData = Buffer.concat([sha256(RELYING_PARTY.id), Buffer.from([FLAGS, 0, 0, 0, 0])]);
  const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
  const response = { clientDataJSON: clientData, authenticatorData, signature };
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      ...Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
      userHandle,
    },
  };
}
