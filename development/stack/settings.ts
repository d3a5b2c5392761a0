/** Settings of `npm start`: the ports, and which servers run elsewhere. */
import path from 'node:path';
import { DEVELOPMENT_SECRETS } from '../../config.js';
import type { Secrets } from '../seeding/cardAccount.js';
import { type ClusterSettings, clusterSettings } from './cluster/settings.js';

export interface Ports {
  api: number;
  apiMetrics: number;
  workerMetrics: number;
  postgres: number;
  temporal: number;
  temporalUi: number;
  gateway: number;
  gatewayControl: number;
  square: number;
  squareControl: number;
  paypal: number;
  paypalControl: number;
  checkout: number;
  checkoutControl: number;
  socialnet: number;
  apns: number;
  fcm: number;
  pushControl: number;
  storage: number;
  scan: number;
  workspaceSuite: number;
  cloudOffice: number;
  smtp: number;
  mailbox: number;
  bounces: number;
}

/** For each server: the environment variable for its port, the default port, and a description. */
export const PORTS: Record<keyof Ports, { variable: string; usual: number; what: string }> = {
  api: { variable: 'PORT', usual: 8000, what: 'the API' },
  apiMetrics: { variable: 'METRICS_PORT', usual: 9464, what: "the API's metrics" },
  workerMetrics: { variable: 'WORKER_METRICS_PORT', usual: 9465, what: "the worker's metrics" },
  postgres: { variable: 'POSTGRES_PORT', usual: 5433, what: 'Postgres' },
  temporal: { variable: 'TEMPORAL_PORT', usual: 7233, what: 'Temporal' },
  temporalUi: { variable: 'TEMPORAL_UI_PORT', usual: 8233, what: 'the Temporal UI' },
  gateway: { variable: 'GATEWAY_PORT', usual: 12_111, what: 'the payment gateway' },
  gatewayControl: { variable: 'GATEWAY_CONTROL_PORT', usual: 12_112, what: "the payment gateway's control" },
  square: { variable: 'SQUARE_PORT', usual: 12_123, what: 'the stand-in of Square' },
  squareControl: { variable: 'SQUARE_CONTROL_PORT', usual: 12_124, what: "the control of Square's stand-in" },
  paypal: { variable: 'PAYPAL_PORT', usual: 12_125, what: 'the stand-in of PayPal' },
  paypalControl: { variable: 'PAYPAL_CONTROL_PORT', usual: 12_126, what: "the control of PayPal's stand-in" },
  checkout: { variable: 'CHECKOUT_PORT', usual: 12_127, what: 'the stand-in of Checkout.com' },
  checkoutControl: { variable: 'CHECKOUT_CONTROL_PORT', usual: 12_128, what: "the control of Checkout.com's stand-in" },
  socialnet: { variable: 'SOCIALNET_PORT', usual: 12_113, what: 'the professional network' },
  apns: { variable: 'APNS_PORT', usual: 12_116, what: 'the push gateway of iOS' },
  fcm: { variable: 'FCM_PORT', usual: 12_117, what: 'the push gateway of Android' },
  pushControl: { variable: 'PUSH_CONTROL_PORT', usual: 12_118, what: 'the page of phones' },
  storage: { variable: 'STORAGE_PORT', usual: 12_119, what: 'the object storage' },
  scan: { variable: 'CLAMD_PORT', usual: 12_122, what: 'the malware scanner' },
  workspaceSuite: { variable: 'WORKSPACE_SUITE_PORT', usual: 12_120, what: 'the workspace suite' },
  cloudOffice: { variable: 'CLOUD_OFFICE_PORT', usual: 12_121, what: 'the cloud office' },
  smtp: { variable: 'SMTP_PORT', usual: 1025, what: 'the mail catcher' },
  mailbox: { variable: 'MAILBOX_PORT', usual: 8025, what: 'the mailbox page' },
  bounces: { variable: 'BOUNCES_PORT', usual: 1026, what: 'reports about undelivered mail' },
};

export interface StackSettings {
  dataDir: string;
  logs: string;
  ports: Ports;
  /** Addresses of external servers. A server without an address is started here. */
  external: {
    database?: string;
    temporal?: string;
    gateway?: string;
    smtp?: string;
    push?: string;
    storage?: string;
    scan?: string;
    accounts?: string;
  };
  urls: {
    database: string;
    owner: string | undefined;
    temporalUi: string;
    api: string;
    /** Origin to which mails link: that of the console, unless another front end is configured. */
    frontend: string;
    gateway: string;
    square: string;
    paypal: string;
    checkout: string;
    smtp: string;
  };
  /** `host:port`, or several separated by commas. */
  temporalAddress: string;
  /** Port of the console's development server. Absent unless the sources are watched (`npm run dev`). */
  consolePort?: number;
  /** Settings of `npm run cluster`, which runs two APIs, two workers and two Temporal nodes. Absent for `npm start`. */
  cluster?: ClusterSettings;
  /**
   * Prefixes of the secrets of all accounts at the card gateway. The name of the organization is appended for each
   * account.
   */
  cardSecrets: Secrets;
  environment: NodeJS.ProcessEnv;
}

/** Variables with credentials of a real push gateway. If one is set, the platform pushes to real devices. */
const PUSH_CREDENTIALS = ['APNS_KEY', 'APNS_KEY_FILE', 'FCM_SERVICE_ACCOUNT', 'FCM_SERVICE_ACCOUNT_FILE'];

/**
 * Reads the settings from the environment.
 * @throws Error that names an invalid port, or a port that is configured for two servers
 */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  how: { cluster?: boolean; watch?: boolean } = {},
): StackSettings {
  const given = (name: string) => environment[name] || undefined;
  const ports = readPorts(given);
  const dataDir = path.resolve(given('DATA_DIR') ?? (how.cluster ? '.data/cluster' : '.data'));
  const local = (scheme: string, port: number) => `${scheme}://127.0.0.1:${port}`;
  const database = given('DATABASE_URL');
  const embedded = (role: string, port = ports.postgres) => `postgres://${role}@127.0.0.1:${port}/membership`;
  const api = given('BACKEND_URL')?.replace(/\/$/, '') ?? `http://localhost:${ports.api}`;
  const cluster = how.cluster ? clusterSettings(given, ports.temporal) : undefined;
  return {
    dataDir,
    ...(cluster ? { cluster } : {}),
    ...(how.watch ? { consolePort: Number(given('CONSOLE_PORT') ?? 5173) } : {}),
    logs: path.join(dataDir, 'logs'),
    ports,
    external: defined({
      database,
      temporal: given('TEMPORAL_ADDRESS'),
      gateway: given('STRIPE_API_URL'),
      smtp: given('SMTP_URL'),
      push: PUSH_CREDENTIALS.find((name) => given(name)),
      storage: given('STORAGE_BUCKET'),
      scan: given('CLAMD_ADDRESS'),
      accounts: given('WORKSPACE_SUITE_URL') ?? given('CLOUD_OFFICE_URL'),
    }),
    urls: {
      database: database ?? embedded('membership_runtime:runtime', cluster?.ports.pooler),
      owner: database ? given('DATABASE_OWNER_URL') : embedded('membership_owner:owner'),
      temporalUi: given('TEMPORAL_UI_URL') ?? local('http', ports.temporalUi),
      api,
      frontend: given('FRONTEND_URL') ?? api,
      gateway: given('STRIPE_API_URL') ?? local('http', ports.gateway),
      square: given('SQUARE_API_URL') ?? local('http', ports.square),
      paypal: given('PAYPAL_API_URL') ?? local('http', ports.paypal),
      checkout: given('CHECKOUT_API_URL') ?? local('http', ports.checkout),
      smtp: given('SMTP_URL') ?? local('smtp', ports.smtp),
    },
    temporalAddress: given('TEMPORAL_ADDRESS') ?? cluster?.addresses.join() ?? `127.0.0.1:${ports.temporal}`,
    cardSecrets: {
      secretKey: given('STRIPE_SECRET_KEY') ?? DEVELOPMENT_SECRETS.stripeKey,
      webhookSecret: given('STRIPE_WEBHOOK_SECRET') ?? DEVELOPMENT_SECRETS.webhookSecret,
    },
    environment,
  };
}

function defined<T extends Record<string, string | undefined>>(values: T) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as { [K in keyof T]?: string };
}

function readPorts(given: (name: string) => string | undefined): Ports {
  const entries = Object.entries(PORTS).map(([name, { variable, usual }]) => {
    const port = Number(given(variable) ?? usual);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new Error(`${variable} must be a port, 1 to 65535.`);
    return [name, port] as const;
  });
  return Object.fromEntries(entries) as unknown as Ports;
}
