/** Credentials of the local office suites, created once: a service account, an application, a certificate. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Certificates, makeCertificates } from '../kit/certificates.js';
import type { OfficeApplication } from './cloudOffice.js';
import type { WorkspaceAccount } from './workspaceSuite.js';

/** The domain, groups and units of each suite. */
export const SUITE = {
  domain: 'northern-star.example.org',
  groups: ['members@northern-star.example.org', 'news@northern-star.example.org'],
  units: ['/Members'],
} as const;
export const OFFICE = {
  domain: 'office.northern-star.example.org',
  groups: ['6f0c1f0e-3d1b-4a53-9a41-2f6f2c6f7a01', '6f0c1f0e-3d1b-4a53-9a41-2f6f2c6f7a02'],
} as const;

export interface AccountsCredentials {
  workspace: WorkspaceAccount;
  office: OfficeApplication;
  tls: Certificates;
}

export const credentialFiles = (folder: string) => ({
  all: path.join(folder, 'credentials.json'),
  authority: path.join(folder, 'authority.pem'),
});

/** Returns the credentials in the folder, and creates them first if needed. */
export function accountsCredentials(folder: string): AccountsCredentials {
  const files = credentialFiles(folder);
  if (!existsSync(files.all)) make(folder);
  return JSON.parse(readFileSync(files.all, 'utf8')) as AccountsCredentials;
}

function make(folder: string): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const credentials: AccountsCredentials = {
    workspace: {
      client_email: 'provisioning@membership-standin.iam.example.org',
      private_key: (privateKey.export({ type: 'pkcs8', format: 'pem' }) as string).trim(),
      delegated_admin: `admin@${SUITE.domain}`,
    },
    office: {
      tenant_id: randomUUID(),
      client_id: randomUUID(),
      client_secret: randomBytes(24).toString('base64url'),
    },
    tls: makeCertificates(new Date()),
  };
  const temporaryFolder = `${folder}.new`;
  rmSync(temporaryFolder, { recursive: true, force: true });
  mkdirSync(temporaryFolder, { recursive: true });
  const files = credentialFiles(temporaryFolder);
  writeFileSync(files.all, JSON.stringify(credentials, null, 2), { mode: 0o600 });
  writeFileSync(files.authority, credentials.tls.authority, { mode: 0o600 });
  // Replaces the whole folder, so that no reader sees a part of it.
  rmSync(folder, { recursive: true, force: true });
  renameSync(temporaryFolder, folder);
}
