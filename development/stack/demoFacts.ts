/**
 * Writes `DATA_DIR/demo.json`, which tells tools all addresses and who can sign in. The file exists while the platform
 * runs.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { accountsFolder, accountsUrls, playsAccounts } from './accounts.js';
import { credentialFiles } from '../standins/accounts/credentials.js';
import { bouncesDomain } from './bounces.js';
import { CLUSTER_PARTS } from './cluster/settings.js';
import { playsPush } from './push.js';
import type { StackSettings } from './settings.js';
import { playsScan } from './scan.js';
import { playsStorage, storageUrl } from './storage.js';

interface Person {
  email: string;
  password: string;
}

/** The part of an organization in the seed's output (seed.json) that this file uses. */
export interface SeededOrganization {
  slug: string;
  /** Absent in a seed.json that an older version wrote. */
  foundation?: { id: string; campaign_slug: string };
  users: Record<string, Person>;
}

const fileIn = (dataDir: string) => path.join(dataDir, 'demo.json');

/** Returns the organizations that the seed command wrote to `seed.json`; an empty list when it has not run. */
export function seededOrganizations(dataDir: string): SeededOrganization[] {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, 'seed.json'), 'utf8')) as SeededOrganization[];
  } catch {
    return [];
  }
}

/** Returns the address of the public application form. */
export const applyUrl = ({ urls }: StackSettings, slug: string): string => `${urls.api}/apply/${slug}`;

/** Returns the address of the public giving page; null without a foundation. */
export const donateUrl = ({ urls }: StackSettings, { foundation }: SeededOrganization): string | null =>
  foundation ? `${urls.api}/donate/${foundation.id}/${foundation.campaign_slug}` : null;

function demoFacts(settings: StackSettings, pids: Record<string, number>) {
  const { urls, external, ports, dataDir } = settings;
  const pushes = playsPush(settings);
  const phones = `http://127.0.0.1:${ports.pushControl}`;
  const control = `http://127.0.0.1:${ports.gatewayControl}`;
  return {
    base_url: urls.api,
    frontend_url: urls.frontend,
    schema_url: `${urls.api}/api/schema/`,
    docs_url: `${urls.api}/api/docs/`,
    realtime_url: `${urls.api.replace(/^http/, 'ws')}/api/realtime/`,
    temporal_ui_url: urls.temporalUi,
    temporal_address: settings.temporalAddress,
    metrics_urls: {
      api: `http://127.0.0.1:${ports.apiMetrics}/metrics`,
      worker: `http://127.0.0.1:${ports.workerMetrics}/metrics`,
    },
    bounces_url: bouncesDomain(settings) ? `smtp://127.0.0.1:${ports.bounces}` : null,
    mail_url: external.smtp ? null : `http://127.0.0.1:${ports.mailbox}`,
    gateway: {
      url: urls.gateway,
      control_url: external.gateway ? null : control,
      ledger_url: external.gateway ? null : `${control}/ledger`,
    },
    gateways: {
      square: {
        url: urls.square,
        control_url: external.gateway ? null : `http://127.0.0.1:${ports.squareControl}`,
        ledger_url: external.gateway ? null : `http://127.0.0.1:${ports.squareControl}/ledger`,
      },
      paypal: {
        url: urls.paypal,
        control_url: external.gateway ? null : `http://127.0.0.1:${ports.paypalControl}`,
        ledger_url: external.gateway ? null : `http://127.0.0.1:${ports.paypalControl}/ledger`,
      },
      checkout: {
        url: urls.checkout,
        control_url: external.gateway ? null : `http://127.0.0.1:${ports.checkoutControl}`,
        ledger_url: external.gateway ? null : `http://127.0.0.1:${ports.checkoutControl}/ledger`,
      },
    },
    push: {
      apns_url: pushes ? `https://127.0.0.1:${ports.apns}` : null,
      fcm_url: pushes ? `http://127.0.0.1:${ports.fcm}` : null,
      control_url: pushes ? phones : null,
      ledger_url: pushes ? `${phones}/ledger` : null,
    },
    storage_url: playsStorage(settings) ? storageUrl(settings) : null,
    scanner_address: playsScan(settings) ? `127.0.0.1:${ports.scan}` : null,
    accounts: playsAccounts(settings)
      ? { ...accountsUrls(settings), credentials_file: credentialFiles(accountsFolder(settings)).all }
      : null,
    socialnet_url: external.gateway ? null : `http://127.0.0.1:${ports.socialnet}`,
    database: { runtime_url: urls.database, owner_url: urls.owner ?? null },
    // Process ids by part. The id is null when the part is not started here or is being restarted.
    pids: Object.fromEntries(
      [
        'supervisor',
        ...(settings.cluster ? CLUSTER_PARTS : ['api', 'worker', 'temporal']),
        'postgres',
        'bounces',
        'gateway',
        'mailbox',
        'push',
        'storage',
        'scan',
        'accounts',
      ].map((name) => [name, name === 'supervisor' ? process.pid : (pids[name] ?? null)]),
    ),
    organizations: seededOrganizations(dataDir).map((one) => ({
      ...one,
      apply_url: applyUrl(settings, one.slug),
      donate_url: donateUrl(settings, one),
    })),
  };
}

/** Writes the facts atomically, so that no reader sees half of the file. */
export function writeDemoFacts(settings: StackSettings, pids: Record<string, number>): void {
  const file = fileIn(settings.dataDir);
  mkdirSync(settings.dataDir, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(demoFacts(settings, pids), null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function removeDemoFacts(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}
