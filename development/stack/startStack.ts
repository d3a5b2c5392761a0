/** Starts all parts in the order of their dependencies. */
import path from 'node:path';
import { accountsFolder, playsAccounts } from './accounts.js';
import { bouncesDomain } from './bounces.js';
import { clusterPrograms, POSTGRES_OF_CLUSTER, startClusterServers } from './cluster/startCluster.js';
import { findTemporal } from './findTemporal.js';
import {
  accountsProgram,
  apiProgram,
  bouncesProgram,
  consoleProgram,
  gatewayProgram,
  mailboxProgram,
  ownerCommand,
  pushProgram,
  scanProgram,
  storageProgram,
  workerProgram,
} from './parts.js';
import { playsPush, pushFolder } from './push.js';
import { type Cluster, postgresProgram, prepareCluster, superuserUrl } from './postgres.js';
import { ensureDatabase, ensureRole, roleOf, withClient } from './roles.js';
import { accountsCredentials } from '../standins/accounts/credentials.js';
import { makeCredentials } from '../standins/push/credentials.js';
import type { StackSettings } from './settings.js';
import { playsScan } from './scan.js';
import { playsStorage } from './storage.js';
import type { Supervisor } from './supervisor.js';
import { temporalProgram } from './temporal.js';

/** The order in which parts are stopped: each part stops before the parts that it uses. */
export const STOP_ORDER = [
  'seed',
  'migrate',
  'console',
  'proxy',
  'api',
  'api-1',
  'api-2',
  'worker',
  'worker-1',
  'worker-2',
  'bounces',
  'gateway',
  'mailbox',
  'push',
  'storage',
  'scan',
  'accounts',
  'temporal',
  'temporal-ui',
  'temporal-2',
  'temporal-1',
  'pooler',
  'replica',
  'postgres',
];

type Say = (line: string) => void;

/** Starts all parts. @throws Error when a part does not start; the parts that started keep running */
export async function startStack(settings: StackSettings, supervisor: Supervisor, say: Say): Promise<void> {
  const { external } = settings;
  const pushes = playsPush(settings);
  if (pushes) makeCredentials(pushFolder(settings));
  if (playsAccounts(settings)) accountsCredentials(accountsFolder(settings));
  await Promise.all([
    startDatabase(settings, supervisor, say),
    external.temporal || settings.cluster ? undefined : startTemporal(settings, supervisor, say),
    external.gateway ? undefined : supervisor.start(gatewayProgram(settings)),
    external.smtp ? undefined : supervisor.start(mailboxProgram(settings)),
    pushes ? supervisor.start(pushProgram(settings)) : undefined,
    playsStorage(settings) ? supervisor.start(storageProgram(settings)) : undefined,
    playsScan(settings) ? supervisor.start(scanProgram(settings)) : undefined,
    playsAccounts(settings) ? supervisor.start(accountsProgram(settings)) : undefined,
  ]);
  say(`Starting ${settings.cluster ? 'APIs, workers' : 'API, worker'} and the receiver of bounces …`);
  const serving = settings.cluster ? clusterPrograms(settings) : [apiProgram(settings), workerProgram(settings)];
  await Promise.all([
    ...serving.map((program) => supervisor.start(program)),
    bouncesDomain(settings) ? supervisor.start(bouncesProgram(settings)) : undefined,
    settings.consolePort ? supervisor.start(consoleProgram(settings)) : undefined,
    settings.urls.owner ? supervisor.run(ownerCommand(settings, 'development/seed')) : undefined,
  ]);
}

async function startDatabase(settings: StackSettings, supervisor: Supervisor, say: Say): Promise<void> {
  const postgres = settings.external.database ? undefined : await startPostgres(settings, supervisor, say);
  const clusterServers =
    postgres && settings.cluster ? startClusterServers(settings, postgres, supervisor, say) : undefined;
  await Promise.all([clusterServers, migrate(settings, supervisor, say)]);
}

async function migrate(settings: StackSettings, supervisor: Supervisor, say: Say): Promise<void> {
  if (!settings.urls.owner) return say('DATABASE_OWNER_URL is not set: no migration, no demo data.');
  say('Migrating the database …');
  await supervisor.run(ownerCommand(settings, 'bin/migrate', ['up']));
}

async function startPostgres(settings: StackSettings, supervisor: Supervisor, say: Say): Promise<Cluster> {
  const { dataDir, ports, urls } = settings;
  say('Starting Postgres, Temporal, the gateways and the mail catcher …');
  const cluster = await prepareCluster(path.join(dataDir, 'postgres'), ports.postgres);
  await supervisor.start(postgresProgram(cluster, settings.cluster ? POSTGRES_OF_CLUSTER : { max_connections: 200 }));
  const owner = roleOf(urls.owner as string);
  await withClient(superuserUrl(cluster), async (client) => {
    await ensureRole(client, owner);
    await ensureRole(client, roleOf(urls.database));
    await ensureDatabase(client, owner.database, owner.name);
  });
  return cluster;
}

async function startTemporal({ dataDir, ports }: StackSettings, supervisor: Supervisor, say: Say): Promise<void> {
  const executable = await findTemporal(say);
  const databaseFile = path.join(dataDir, 'temporal.db');
  await supervisor.start(temporalProgram({ executable, port: ports.temporal, uiPort: ports.temporalUi, databaseFile }));
}
