/**
 * Decrypts assertions (SAML core, 2.3.4; XML Encryption 1.1): an AES key that is encrypted with RSA-OAEP. A decrypted
 * assertion is not trusted yet: its signature is verified like that of any assertion. Keys encrypted with RSA 1.5 are
 * refused without decryption (Bleichenbacher). CBC does not detect changes, and the kind or the time of a failure would
 * reveal the plaintext (Jager and Somorovsky, How to break XML Encryption). Therefore CBC is accepted only inside a
 * response that the provider signed. GCM is authenticated, and every failure looks the same.
 */
import { constants, createDecipheriv, privateDecrypt, randomBytes } from 'node:crypto';
import { readMessage } from './message.js';
import { NS } from './names.js';
import { SamlRefused } from './refused.js';
import { childrenOf, type Element } from './xml.js';

interface Cipher {
  name: 'aes-128-cbc' | 'aes-256-cbc' | 'aes-128-gcm' | 'aes-256-gcm';
  keyBytes: number;
}

const CIPHERS: ReadonlyMap<string | undefined, Cipher> = new Map([
  [`${NS.encryption}aes128-cbc`, { name: 'aes-128-cbc', keyBytes: 16 }],
  [`${NS.encryption}aes256-cbc`, { name: 'aes-256-cbc', keyBytes: 32 }],
  [`${NS.encryption11}aes128-gcm`, { name: 'aes-128-gcm', keyBytes: 16 }],
  [`${NS.encryption11}aes256-gcm`, { name: 'aes-256-gcm', keyBytes: 32 }],
]);

const SHA1 = `${NS.signature}sha1`;
const OAEP_MGF1P = `${NS.encryption}rsa-oaep-mgf1p`;
const OAEP = `${NS.encryption11}rsa-oaep`;
const MGF1_SHA1 = `${NS.encryption11}mgf1sha1`;
/**
 * Hash of RSA-OAEP by digest and mask algorithm. Combinations of two hashes are refused, because OpenSSL uses one hash
 * for both.
 */
const OAEP_HASHES: ReadonlyMap<string, string> = new Map([
  [`${SHA1} ${MGF1_SHA1}`, 'sha1'],
  [`${NS.encryption}sha256 ${NS.encryption11}mgf1sha256`, 'sha256'],
]);

const MAX_KEYS = 4;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decrypts the assertion of a response.
 * @param response has one EncryptedAssertion
 * @param privateKeys PEM: our keys, the newest first
 * @param isSealed whether a signature of the provider covers the response and was verified
 * @returns the assertion as XML that `readXml` accepts
 * @throws SamlRefused encrypted, encryption_algorithm, encryption_unprotected, not_decryptable
 */
export function decryptAssertion(response: Element, privateKeys: readonly string[], isSealed: boolean): string {
  if (privateKeys.length === 0) {
    throw new SamlRefused('encrypted', 'The assertion is encrypted, but this connection has no decryption key.');
  }
  const [encrypted] = childrenOf(response, NS.assertion, 'EncryptedAssertion');
  const data = encrypted && childrenOf(encrypted, NS.encryption, 'EncryptedData');
  const [only] = data ?? [];
  if (!encrypted || !only || data?.length !== 1) throw notDecryptable();
  const cipher = CIPHERS.get(methodOf(only).attributes['Algorithm']);
  if (!cipher) throw unknownAlgorithm(methodOf(only).attributes['Algorithm']);
  if (!isSealed && !isGcm(cipher)) throw notProtected();
  const bytes = cipherValue(only);
  const infos = childrenOf(only, NS.signature, 'KeyInfo');
  // The encrypted key is beside the data or inside of it; providers use both forms.
  const wrapped = [encrypted, ...infos].flatMap((at) => childrenOf(at, NS.encryption, 'EncryptedKey'));
  if (wrapped.length === 0 || wrapped.length > MAX_KEYS) throw notDecryptable();
  const keys = wrapped.flatMap((key) => {
    const [hash, sealed] = [hashOf(key), cipherValue(key)];
    return privateKeys.map((privateKey) => unwrap(sealed, privateKey, hash, cipher.keyBytes));
  });
  const plaintext = keys.map((key) => assertionIn(cipher, key, bytes)).find((xml) => xml !== null);
  if (plaintext === undefined || plaintext === null) throw notDecryptable();
  return plaintext;
}

const notDecryptable = (): SamlRefused =>
  new SamlRefused('not_decryptable', 'The assertion cannot be decrypted with our key.');

const notProtected = (): SamlRefused =>
  new SamlRefused(
    'encryption_unprotected',
    'The assertion is encrypted with CBC, but the response around it is not signed. Configure the provider to sign the response, or to encrypt with GCM.',
  );

const isGcm = ({ name }: Cipher): boolean => name.endsWith('gcm');

const unknownAlgorithm = (name: string | undefined): SamlRefused =>
  new SamlRefused('encryption_algorithm', `This encryption is not accepted: ${(name ?? 'none').slice(0, 200)}.`);

function methodOf(parent: Element): Element {
  const [method, ...others] = childrenOf(parent, NS.encryption, 'EncryptionMethod');
  if (!method || others.length > 0) throw notDecryptable();
  return method;
}

function cipherValue(parent: Element): Buffer {
  const values = childrenOf(parent, NS.encryption, 'CipherData').flatMap((at) =>
    childrenOf(at, NS.encryption, 'CipherValue'),
  );
  const text = (values[0]?.text ?? '').replaceAll(/\s/g, '');
  if (values.length !== 1 || !BASE64.test(text)) throw notDecryptable();
  return Buffer.from(text, 'base64');
}

function hashOf(key: Element): string {
  const method = methodOf(key);
  const { Algorithm: algorithm } = method.attributes;
  if (algorithm !== OAEP && algorithm !== OAEP_MGF1P) throw unknownAlgorithm(algorithm);
  const digest = childrenOf(method, NS.signature, 'DigestMethod')[0]?.attributes['Algorithm'] ?? SHA1;
  const named = childrenOf(method, NS.encryption11, 'MGF')[0]?.attributes['Algorithm'];
  const mask = algorithm === OAEP_MGF1P ? MGF1_SHA1 : (named ?? MGF1_SHA1);
  const hash = OAEP_HASHES.get(`${digest} ${mask}`);
  if (hash === undefined || childrenOf(method, NS.encryption, 'OAEPparams').length > 0) {
    throw unknownAlgorithm(`${algorithm} with ${digest} and ${mask}`);
  }
  return hash;
}

/**
 * Decrypts an AES key. If this fails, returns a random key: an attacker cannot distinguish this case from a wrong key
 * by time or by error.
 */
function unwrap(sealed: Buffer, privateKey: string, oaepHash: string, keyBytes: number): Buffer {
  const randomKey = randomBytes(keyBytes);
  try {
    const key = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, sealed);
    return key.length === keyBytes ? key : randomKey;
  } catch {
    return randomKey;
  }
}

/**
 * Decrypts an assertion.
 * @returns null if the plaintext is not an assertion
 */
function assertionIn(cipher: Cipher, key: Buffer, bytes: Buffer): string | null {
  try {
    const xml = UTF8.decode(isGcm(cipher) ? decryptGcm(cipher, key, bytes) : decryptCbc(cipher, key, bytes)).trim();
    const { name, namespace } = readMessage(xml);
    return name === 'Assertion' && namespace === NS.assertion ? xml : null;
  } catch {
    return null;
  }
}

/** Decrypts AES-GCM. The nonce is the first 12 bytes, the tag the last 16 (XML Encryption 1.1, 5.2.4). */
function decryptGcm({ name }: Cipher, key: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(name as 'aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
}

/**
 * Decrypts AES-CBC. The first block is the initialization vector. The last byte is the length of the padding; the other
 * bytes of the padding may have any value (XML Encryption, 5.2).
 */
function decryptCbc({ name }: Cipher, key: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(name, key, bytes.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]);
  const padding = plain.at(-1) ?? 0;
  if (padding < 1 || padding > 16) throw new Error('The padding is invalid.');
  return plain.subarray(0, -padding);
}
