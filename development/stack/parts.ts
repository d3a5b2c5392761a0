/** Our own programs as parts of the stack: the script, the environment, and when each is ready. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { accountsEnvironment } from './accounts.js';
import { bouncesDomain } from './bounces.js';
import { networkEnvironment } from './network.js';
import { paypalCertificates } from '../standins/paypal/certificates.js';
import { answers } from './ports.js';
import type { Program } from './program.js';
import { pushEnvironment } from './push.js';
import type { StackSettings } from './settings.js';
import { scanEnvironment } from './scan.js';
import { storageEnvironment } from './storage.js';

/**
 * Returns the path of the script that runs a program.
 * @param program path in the project, for example `bin/api`
 */
const script = (program: string) => path.join(__dirname, '../..', `${program}.js`);

/** Returns the environment that the API, the worker and the commands need to reach the servers. */
function environmentFor(settings: StackSettings): NodeJS.ProcessEnv {
  const { environment, ports, urls, temporalAddress, dataDir, consolePort } = settings;
  const bundle = path.join(__dirname, '../../workflow-bundle.js');
  const environmentOfPart: NodeJS.ProcessEnv = {
    ...environment,
    DATA_DIR: dataDir,
    PORT: String(ports.api),
    BACKEND_URL: urls.api,
    FRONTEND_URL: urls.frontend,
    ...(consolePort && !environment['WEBAUTHN_ORIGINS'] ? { WEBAUTHN_ORIGINS: passkeyOrigins(settings) } : {}),
    DATABASE_URL: urls.database,
    ...(settings.cluster ? clusterEnvironment(settings) : {}),
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_UI_URL: urls.temporalUi,
    STRIPE_API_URL: urls.gateway,
    SQUARE_API_URL: urls.square,
    ...paypalEnvironment(settings),
    CHECKOUT_API_URL: urls.checkout,
    SMTP_URL: urls.smtp,
    BOUNCES_DOMAIN: bouncesDomain(settings),
    BOUNCES_PORT: String(ports.bounces),
    ...networkEnvironment(settings),
    ...pushEnvironment(settings),
    ...storageEnvironment(settings),
    ...scanEnvironment(settings),
    ...accountsEnvironment(settings),
    ...(environment['WORKFLOW_BUNDLE'] || !existsSync(bundle) ? {} : { WORKFLOW_BUNDLE: bundle }),
  };
  // Remove the owner's connection: programs that serve requests must not connect as the owner of the database.
  delete environmentOfPart['DATABASE_OWNER_URL'];
  return environmentOfPart;
}

/** Returns the origins of the pages that use passkeys while the console's development server runs. */
const passkeyOrigins = ({ urls, consolePort }: StackSettings): string =>
  [...new Set([urls.frontend, urls.api, consoleUrl(consolePort)])].join();

const consoleUrl = (port: number | undefined): string => `http://localhost:${port}`;

/**
 * Returns PayPal's environment. PayPal signs events with certificates; the stand-in has its own certificate authority.
 */
function paypalEnvironment({ urls, external, environment, dataDir }: StackSettings): NodeJS.ProcessEnv {
  const isPlayed = !external.gateway && !environment['PAYPAL_API_URL'];
  const { authority } = isPlayed ? paypalCertificates(path.join(dataDir, 'gateway')) : {};
  return { PAYPAL_API_URL: urls.paypal, ...(authority ? { PAYPAL_CA: authority } : {}) };
}

/**
 * Returns the environment variables that programs need only in a cluster: direct addresses of the primary (for LISTEN)
 * and of the replica, because both connections bypass the pooler, and the number of proxies in front of the API.
 */
function clusterEnvironment({ urls, ports, cluster }: StackSettings): NodeJS.ProcessEnv {
  const urlAtPort = (port: number | undefined) => Object.assign(new URL(urls.database), { port: String(port) }).href;
  return {
    DATABASE_LISTEN_URL: urlAtPort(ports.postgres),
    DATABASE_READ_URL: urlAtPort(cluster?.ports.replica),
    NUM_PROXIES: '1',
  };
}

function nodeProgram(
  settings: StackSettings,
  program: string,
  isReady: () => Promise<boolean>,
  own: NodeJS.ProcessEnv = {},
): Program {
  return {
    name: path.basename(program),
    command: process.execPath,
    args: ['--enable-source-maps', script(program)],
    env: { ...environmentFor(settings), ...own },
    stopSignal: 'SIGTERM',
    supervised: true,
    isReady,
  };
}

/** Returns a program that runs one command as the owner of the database and then exits. */
export function ownerCommand(settings: StackSettings, command: string, args: string[] = []): Program {
  const program = nodeProgram(settings, command, async () => true);
  return {
    ...program,
    args: [...program.args, ...args],
    env: { ...program.env, DATABASE_OWNER_URL: settings.urls.owner },
  };
}

/**
 * Limits of the API's heap in megabytes. Without these limits V8 collects garbage only after hundreds of megabytes
 * (measured).
 */
const API_MEMORY = ['--max-old-space-size=256', '--max-semi-space-size=8'];
/**
 * Heap settings of the worker. They do not limit the old generation, because a worker may temporarily need much memory.
 * They make V8 return unused memory early; by default V8 keeps four times the used memory (measured).
 */
const WORKER_MEMORY = ['--max-semi-space-size=8', '--initial-old-space-size=64', '--heap-growing-percent=60'];
/**
 * Allocations of at least this many bytes are returned to the system as soon as glibc frees them. Hashing a password,
 * for example, needs 19 MB for a moment.
 */
const MALLOC = { MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024) };

export function apiProgram(settings: StackSettings): Program {
  const address = `http://127.0.0.1:${settings.ports.api}/readyz/`;
  const isReady = async () => (await fetch(address, { signal: AbortSignal.timeout(5000) })).ok;
  const own = { ...MALLOC, METRICS_PORT: String(settings.ports.apiMetrics) };
  const program = nodeProgram(settings, 'bin/api', isReady, own);
  return { ...program, args: [...API_MEMORY, ...program.args] };
}

/** Returns the proxy in front of the APIs with these ports. */
export function proxyProgram(settings: StackSettings, apis: number[]): Program {
  const program = nodeProgram(settings, 'development/proxy', () => answers(settings.ports.api));
  return { ...program, args: [...program.args, ...[settings.ports.api, ...apis].map(String)] };
}

/**
 * Returns the worker's program. The worker itself reports when it is ready, because it has no port that could be
 * checked.
 */
export function workerProgram(settings: StackSettings): Program {
  const own = { MALLOC_ARENA_MAX: '2', METRICS_PORT: String(settings.ports.workerMetrics) };
  const program = nodeProgram(settings, 'bin/worker', async () => true, own);
  return { ...program, args: [...WORKER_MEMORY, ...program.args], reportsReady: true };
}

export function gatewayProgram(settings: StackSettings): Program {
  const { gateway, gatewayControl, socialnet } = settings.ports;
  const isReady = async () =>
    (await Promise.all([gateway, gatewayControl, socialnet].map((port) => answers(port)))).every(Boolean);
  return nodeProgram(settings, 'development/gateway', isReady);
}

export function pushProgram(settings: StackSettings): Program {
  const { apns, fcm, pushControl } = settings.ports;
  const isReady = async () => (await Promise.all([apns, fcm, pushControl].map((port) => answers(port)))).every(Boolean);
  return nodeProgram(settings, 'development/push', isReady);
}

/** Returns the development server of the console, which shows changes at once. */
export function consoleProgram({ urls, consolePort, environment }: StackSettings): Program {
  const folder = path.join(__dirname, '../../../console');
  const vite = createRequire(path.join(folder, 'package.json')).resolve('vite/package.json');
  return {
    name: 'console',
    command: process.execPath,
    args: [path.join(path.dirname(vite), 'bin/vite.js'), folder, '--host', 'localhost'],
    env: { ...environment, CONSOLE_PORT: String(consolePort), BACKEND_URL: urls.api },
    stopSignal: 'SIGTERM',
    isReady: async () => (await fetch(`${consoleUrl(consolePort)}/console/`)).ok,
  };
}

export const storageProgram = (settings: StackSettings): Program =>
  nodeProgram(settings, 'development/storage', () => answers(settings.ports.storage));

export const scanProgram = (settings: StackSettings): Program =>
  nodeProgram(settings, 'development/scan', () => answers(settings.ports.scan));

export function accountsProgram(settings: StackSettings): Program {
  const { workspaceSuite, cloudOffice } = settings.ports;
  const isReady = async () => (await answers(workspaceSuite)) && answers(cloudOffice);
  return nodeProgram(settings, 'development/accounts', isReady);
}

/**
 * Returns the program of the bounce receiver. It serves no metrics here, because the metrics of API and worker are
 * enough.
 */
export function bouncesProgram(settings: StackSettings): Program {
  const isReady = () => answers(settings.ports.bounces);
  return nodeProgram(settings, 'bin/bounces', isReady, { METRICS_PORT: '' });
}

export function mailboxProgram(settings: StackSettings): Program {
  const { smtp, mailbox } = settings.ports;
  return nodeProgram(settings, 'development/mailbox', async () => (await answers(smtp)) && answers(mailbox));
}
