/** Builds the summary that the terminal shows when all parts run. */
import path from 'node:path';
import { accountsUrls, playsAccounts } from './accounts.js';
import { CLUSTER_PARTS } from './cluster/settings.js';
import { applyUrl, donateUrl, seededOrganizations } from './demoFacts.js';
import { networkEnvironment } from './network.js';
import { playsPush } from './push.js';
import type { StackSettings } from './settings.js';
import { playsScan } from './scan.js';
import { playsStorage, storageUrl } from './storage.js';

/**
 * Names of the roles as the table of people shows them. The people of each organization are listed in the order of
 * these roles.
 */
const ROLES: Record<string, string> = {
  platform_admin: 'platform admin',
  admin: 'organization admin',
  regional_admin: 'regional admin',
  officer: 'treasurer',
  member: 'member',
  foundation_admin: 'foundation admin',
  foundation_editor: 'foundation editor',
};

/** Returns the addresses, the people who can sign in, and the next command to try. */
export function welcome(settings: StackSettings, pids: Record<string, number>): string {
  const { urls, external, ports, dataDir, logs, environment } = settings;
  const playsNetwork = Object.keys(networkEnvironment(settings)).length > 0;
  const rows: [string, string][] = [
    ['Console', `${urls.api}/console/`],
    ...(settings.consolePort
      ? [['', `http://localhost:${settings.consolePort}/console/ (development server)`] as [string, string]]
      : []),
    ['API', urls.api],
    ['Docs', `${urls.api}/api/docs/`],
    ['Temporal UI', settings.cluster && !pids['temporal-ui'] ? 'none: it could not be built' : urls.temporalUi],
    [
      'Metrics',
      `http://127.0.0.1:${ports.apiMetrics}/metrics (worker: http://127.0.0.1:${ports.workerMetrics}/metrics)`,
    ],
    ['Payment gateway', external.gateway ?? `${urls.gateway} (control: http://127.0.0.1:${ports.gatewayControl})`],
    ['Mailbox', external.smtp ? 'a real mail server (SMTP_URL)' : `http://127.0.0.1:${ports.mailbox}`],
    ['Push', playsPush(settings) ? `http://127.0.0.1:${ports.pushControl} (stand-in with phones)` : 'real gateways'],
    ['Files', playsStorage(settings) ? `${storageUrl(settings)} (stand-in that speaks S3)` : 'a real object storage'],
    [
      'Scanner',
      playsScan(settings) ? `127.0.0.1:${ports.scan} (stand-in; detects the EICAR test file)` : 'a real clamd',
    ],
    [
      'Accounts',
      playsAccounts(settings)
        ? `${accountsUrls(settings).workspace}/people, ${accountsUrls(settings).office}/people (stand-ins)`
        : 'real office suites',
    ],
    ['Logs', logs],
  ];
  if (settings.cluster) rows.push(['Temporal', settings.cluster.addresses.join(', ')]);
  if (playsNetwork) rows.push(['Network', `http://127.0.0.1:${ports.socialnet} (stand-in of a professional network)`]);
  if (environment['NODE_ENV'] !== 'production')
    rows.push(
      ['Passkeys', `${urls.api}/auth/passkey-demo`],
      ['Bell', `${urls.api}/notifications/demo`],
      ['Forums', `${urls.api}/forums/demo`],
    );
  const [first] = seededOrganizations(dataDir);
  if (first)
    rows.push(['Apply', `${applyUrl(settings, first.slug)} (public application form, with a reference letter)`]);
  const giving = first && donateUrl(settings, first);
  if (giving) rows.push(['Give', `${giving} (public giving page; test cards are on the payment page)`]);
  return [
    '',
    ...table(rows),
    ...(settings.cluster ? howToKill(pids) : []),
    ...logIns(dataDir),
    '',
    `Next, in a second terminal:  ${settings.cluster ? `DATA_DIR=${path.relative('.', dataDir)} ` : ''}npm run demo   (sign-in by OpenID and SAML: npm run identity-providers)`,
    'Ctrl-C stops all.',
  ].join('\n');
}

/**
 * Lists the commands that kill a part of the cluster. Any part may be killed at any time, because the supervisor
 * restarts it.
 */
function howToKill(pids: Record<string, number>): string[] {
  const rows = [...CLUSTER_PARTS, 'postgres'].flatMap((name): [string, string][] =>
    pids[name] ? [[name, `kill -9 ${pids[name]}`]] : [],
  );
  return ['', 'Kill a part, and the supervisor restarts it (demo.json has the current process ids):', ...table(rows)];
}

function logIns(dataDir: string): string[] {
  const organizations = seededOrganizations(dataDir);
  const [first] = organizations;
  if (!first) return [];
  const password = Object.values(first.users)[0]?.password ?? '';
  const people = organizations.flatMap(({ slug, users }) =>
    Object.entries(ROLES).flatMap(([role, title]): [string, string][] => {
      const person = users[role];
      return person ? [[`${slug}: ${title}`, person.email]] : [];
    }),
  );
  // A person who has several roles or organizations appears only once in the list.
  const once = people.filter(([, email], index) => people.findIndex((other) => other[1] === email) === index);
  return ['', `Log in with password  ${password}`, ...table(once)];
}

function table(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
}
