/**
 * X.509 certificates (RFC 5280): certificates of identity providers, as administrators paste them, and our own for
 * signing.
 */
import { generateKeyPair, randomBytes, sign, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * Reads a certificate.
 * @param text PEM, or the bare Base64 of a metadata file
 * @returns PEM; null if it is not a certificate with an RSA key of at least 2048 bits
 */
export function readCertificate(text: string): string | null {
  const body = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/.exec(text)?.[1] ?? text;
  const base64 = body.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
      ? certificate.toString()
      : null;
  } catch {
    return null;
  }
}

/** Returns the fingerprint and the expiry, by which people compare certificates. */
export function describeCertificate(pem: string): { fingerprint_sha256: string; expires_at: string } {
  const { fingerprint256, validTo } = new X509Certificate(pem);
  return { fingerprint_sha256: fingerprint256, expires_at: new Date(validTo).toISOString() };
}

/** Returns the Base64 of a PEM, as metadata contains it. */
export const certificateBody = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, '');

export interface KeyPair {
  /** PEM, PKCS #8. */
  privateKey: string;
  /** PEM, self-signed: providers compare the whole certificate and need no authority. */
  certificate: string;
}

const YEARS = 20;
/**
 * DER encodings of two object identifiers: id-at-commonName, and sha256WithRSAEncryption with a NULL as its parameters.
 */
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const RSA_SHA256 = der(0x30, Buffer.from('06092a864886f70d01010b', 'hex'), Buffer.from('0500', 'hex'));

/** Generates a key pair for signing our messages: RSA, 2048 bits. */
export async function makeKeyPair(commonName: string, nowMs: number): Promise<KeyPair> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const spki = pair.publicKey.export({ type: 'spki', format: 'der' });
  const subject = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
  const validity = der(0x30, generalizedTime(nowMs - 86_400_000), generalizedTime(nowMs + YEARS * 365 * 86_400_000));
  // The version is left out, which means version 1: the certificate has no extensions.
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)]));
  const body = der(0x30, serial, RSA_SHA256, subject, validity, subject, spki);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, pair.privateKey));
  return {
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    certificate: new X509Certificate(der(0x30, body, RSA_SHA256, signature)).toString(),
  };
}

/** Encodes tag, length and value (X.690). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  if (value.length < 128) return Buffer.concat([Buffer.from([tag, value.length]), value]);
  const bytes = value.length.toString(16);
  const length = Buffer.from(bytes.length % 2 === 0 ? bytes : `0${bytes}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, value]);
}

const generalizedTime = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));
