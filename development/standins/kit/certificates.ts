/** An authority of our own, and the certificate that it gives to a stand-in on this machine. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { md, pki } from 'node-forge';

const YEARS = 20;

export interface Certificates {
  /** PEM of the authority: whoever trusts it trusts the server. */
  authority: string;
  certificate: string;
  privateKey: string;
}

interface Holder {
  name: string;
  key: pki.rsa.KeyPair;
}

/** The authority signs one certificate, for this name on this machine; its own key is forgotten. */
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

/** Made by Node, which is faster at it than JavaScript. */
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
