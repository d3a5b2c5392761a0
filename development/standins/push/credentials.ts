/**
 * The credentials of the platform for these stand-ins, created once: a certificate authority, Apple's signing key,
 * Google's service account.
 */
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeCertificates } from '../kit/certificates.js';

/** Id of the key with which the platform signs its provider tokens. Apple's format: ten capital letters and digits. */
export const APNS_KEY_ID = 'STANDIN001';

export interface App {
  teamId: string;
  topic: string;
}

export const DEFAULT_APP: App = { teamId: 'STANDIN001', topic: 'org.example.membership' };

export const credentialFiles = (folder: string) => ({
  authority: path.join(folder, 'authority.pem'),
  certificate: path.join(folder, 'server.pem'),
  privateKey: path.join(folder, 'server-key.pem'),
  apnsKey: path.join(folder, 'apns-key.p8'),
  serviceAccount: path.join(folder, 'service-account.json'),
});

export interface ServiceAccount {
  project_id: string;
  client_email: string;
  private_key: string;
}

/** Reports whether the credentials exist. They are created all at once, so one existing file proves that all exist. */
export const hasCredentials = (folder: string): boolean => existsSync(credentialFiles(folder).serviceAccount);

/** Creates the credentials unless they exist. */
export function makeCredentials(folder: string): void {
  if (hasCredentials(folder)) return;
  const temporaryFolder = `${folder}.new`;
  rmSync(temporaryFolder, { recursive: true, force: true });
  mkdirSync(temporaryFolder, { recursive: true });
  const files = credentialFiles(temporaryFolder);
  const tls = makeCertificates(new Date());
  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
  const google: ServiceAccount = {
    project_id: 'membership-standin',
    client_email: 'platform@membership-standin.iam.example.org',
    private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(pkcs8) as string,
  };
  const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pkcs8) as string;
  const write = (file: string, text: string) => writeFileSync(file, text, { mode: 0o600 });
  write(files.authority, tls.authority);
  write(files.certificate, tls.certificate);
  write(files.privateKey, tls.privateKey);
  write(files.apnsKey, apple);
  write(files.serviceAccount, `${JSON.stringify({ type: 'service_account', ...google }, null, 2)}\n`);
  renameSync(temporaryFolder, folder);
}

export function readCredentials(folder: string) {
  const files = credentialFiles(folder);
  const text = (file: string) => readFileSync(file, 'utf8');
  return {
    tls: { key: text(files.privateKey), cert: text(files.certificate) },
    apnsKey: text(files.apnsKey),
    serviceAccount: JSON.parse(text(files.serviceAccount)) as ServiceAccount,
  };
}
