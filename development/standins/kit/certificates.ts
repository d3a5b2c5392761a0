/** A certificate authority for the stand-ins, and the server certificate that it issues. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { md, pki } from 'node-forge';

const YEARS = 20;

export interface Certificates {
  /** Certificate of the authority as PEM. A client that trusts this authority accepts the server's certificate. */
  authority: string;
  certificate: string;
  privateKey: string;
}

interface Holder {
  name: string;
  key: pki.rsa.KeyPair;
}

/**
 * Creates an authority that signs one certificate for this name and 127.0.0.1. The authority's private key is
 * discarded.
 */
export function makeCertificates(now: Date, name = 'localhost'): Certificates {
  const authority: Holder = { name: 'Stand-ins of this machine', key: keyPair() };
  const server: Holder = { name, key: keyPair() };
  const root = signed(authority, authority, now, [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ]);
  const leaf = signed(server, authority, now, [
    { name: 'basicConstraints', cA: false },
    { name: 'extKeyUsage', serverAuth: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: 2, value: name },
        { type: 7, ip: '127.0.0.1' },
      ],
    },
  ]);
  return { authority: root, certificate: leaf, privateKey: pki.privateKeyToPem(server.key.privateKey) };
}

/** Node's built-in crypto generates the key pair, because node-forge (in JavaScript) is slower. */
function keyPair(): pki.rsa.KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return { publicKey: pki.publicKeyFromPem(publicKey), privateKey: pki.privateKeyFromPem(privateKey) };
}

function signed(subject: Holder, issuer: Holder, now: Date, extensions: object[]): string {
  const certificate = pki.createCertificate();
  certificate.publicKey = subject.key.publicKey;
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now.getTime() - 86_400_000);
  certificate.validity.notAfter = new Date(now.getTime() + YEARS * 365 * 86_400_000);
  certificate.setSubject([{ name: 'commonName', value: subject.name }]);
  certificate.setIssuer([{ name: 'commonName', value: issuer.name }]);
  certificate.setExtensions(extensions);
  certificate.sign(issuer.key.privateKey, md.sha256.create());
  return pki.certificateToPem(certificate);
}
