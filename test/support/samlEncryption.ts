/** Encrypted assertions in the forms and with the algorithms of Keycloak, Shibboleth and AD FS. */
import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto';

export interface Encryption {
  /** The names in Keycloak's and Shibboleth's settings. */
  cipher: 'aes-128-cbc' | 'aes-256-cbc' | 'aes-128-gcm' | 'aes-256-gcm';
  /** OAEP with SHA-1, the older identifier; with SHA-256, the newer; RSA 1.5, which must not be used. */
  transport: 'oaep-sha1' | 'oaep-sha256' | 'rsa-1_5';
  /** Keycloak writes the key into the data, Shibboleth may write it beside. */
  place: 'inside' | 'beside';
}

export const KEYCLOAK: Encryption = { cipher: 'aes-256-gcm', transport: 'oaep-sha256', place: 'inside' };

const XENC = 'http://www.w3.org/2001/04/xmlenc#';
const XENC11 = 'http://www.w3.org/2009/xmlenc11#';
const ASSERTION = /<saml:Assertion[\s\S]*<\/saml:Assertion>/;

const methodOf: Record<Encryption['transport'], string> = {
  'oaep-sha1': `<xenc:EncryptionMethod Algorithm="${XENC}rsa-oaep-mgf1p"><ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/></xenc:EncryptionMethod>`,
  'oaep-sha256': `<xenc:EncryptionMethod Algorithm="${XENC11}rsa-oaep"><ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="${XENC}sha256"/><xenc11:MGF xmlns:xenc11="${XENC11}" Algorithm="${XENC11}mgf1sha256"/></xenc:EncryptionMethod>`,
  'rsa-1_5': `<xenc:EncryptionMethod Algorithm="${XENC}rsa-1_5"/>`,
};

function wrap(key: Buffer, certificate: string, transport: Encryption['transport']): Buffer {
  if (transport === 'rsa-1_5') return publicEncrypt({ key: certificate, padding: constants.RSA_PKCS1_PADDING }, key);
  const oaepHash = transport === 'oaep-sha1' ? 'sha1' : 'sha256';
  return publicEncrypt({ key: certificate, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, key);
}

function sealed(plain: Buffer, key: Buffer, cipher: Encryption['cipher']): Buffer {
  if (cipher.endsWith('gcm')) {
    const iv = randomBytes(12);
    const sealing = createCipheriv(cipher as 'aes-256-gcm', key, iv);
    return Buffer.concat([iv, sealing.update(plain), sealing.final(), sealing.getAuthTag()]);
  }
  const iv = randomBytes(16);
  // Random bytes, and their number at the end: only the last byte has a meaning.
  const count = 16 - (plain.length % 16);
  const padding = Buffer.concat([randomBytes(count - 1), Buffer.from([count])]);
  const sealing = createCipheriv(cipher, key, iv).setAutoPadding(false);
  return Buffer.concat([iv, sealing.update(Buffer.concat([plain, padding])), sealing.final()]);
}

/** Encrypts text as the only child of an EncryptedAssertion. */
export function encrypted(plain: string, certificate: string, { cipher, transport, place }: Encryption): string {
  const key = randomBytes(cipher.includes('256') ? 32 : 16);
  const algorithm = `${cipher.endsWith('gcm') ? XENC11 : XENC}${cipher.replace('aes-', 'aes')}`;
  const value = (bytes: Buffer) =>
    `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64').replaceAll(/(.{76})/g, '$1\n')}</xenc:CipherValue></xenc:CipherData>`;
  const wrapped = `<xenc:EncryptedKey xmlns:xenc="${XENC}">${methodOf[transport]}${value(wrap(key, certificate, transport))}</xenc:EncryptedKey>`;
  const info =
    place === 'inside' ? `<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${wrapped}</ds:KeyInfo>` : '';
  return (
    `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="${XENC}" Type="${XENC}Element">` +
    `<xenc:EncryptionMethod Algorithm="${algorithm}"/>${info}${value(sealed(Buffer.from(plain), key, cipher))}` +
    `</xenc:EncryptedData>${place === 'beside' ? wrapped : ''}</saml:EncryptedAssertion>`
  );
}

/** The response with its signed assertion encrypted. */
export const withEncrypted = (xml: string, certificate: string, how: Encryption = KEYCLOAK): string =>
  xml.replace(ASSERTION, (assertion) => encrypted(assertion, certificate, how));
