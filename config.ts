/**
 * Parses the environment once. No other file reads `process.env`. Production has no built-in defaults: startup fails
 * and names each missing variable and each development secret.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Secrets that are published with the source code. Production refuses them. */
export const DEVELOPMENT_SECRETS = {
  jwtKey: 'development-only-jwt-signing-key-0000',
  dataKey: 'ZGV2ZWxvcG1lbnQtb25seS1kYXRhLWtleS0wMDAwMDA=',
  stripeKey: 'sk_test_development',
  webhookSecret: 'whsec_development',
  socialnetSecret: 'socialnet_development',
  storageSecret: 'storage_development',
  ownStorageSecret: 'own_storage_development',
  storageProvisioningSecret: 'storage_provisioning_development',
} as const;

/**
 * Sign-in data of a demo user, for examples in the documentation. The development seed creates this user; production
 * never runs the seed.
 */
export const DEMO_LOGIN = {
  email: 'treasurer.northern-star@example.org',
  password: 'lantern-orbit-maple-42',
} as const;

const port = z.coerce.number().int().min(0).max(65535);
const seconds = z.coerce.number().positive();
const flag = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1');

const webAddress = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' });
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be an address that begins with postgres://' });

/**
 * Reports whether the text is an origin as browsers define it. The protocol is checked, because `localhost:3000` parses
 * as a URL with the scheme `localhost:`.
 */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text) || /[?#@\s]/.test(text)) return false;
  const { protocol, pathname } = new URL(text);
  return /^https?:$/.test(protocol) && pathname === '/';
}
const ORIGIN_RULE =
  'must be an origin: http:// or https://, a host and an optional port, without a path, for example https://app.example.org';
const origin = z
  .string()
  .refine(isOrigin, ORIGIN_RULE)
  .transform((text) => new URL(text).origin);
const secureOrigin = origin.refine((text) => text.startsWith('https:'), 'must use https');
const pem = z.string().startsWith('-----BEGIN ', 'must be a PEM text');

/** The fields of a Google service account file that are used. */
const ServiceAccount = z.object({
  project_id: z.string().regex(/^[a-z0-9:.-]{1,100}$/),
  client_email: z.email(),
  private_key: z.string().startsWith('-----BEGIN '),
});

function readServiceAccount(text: string, context: z.core.$RefinementCtx) {
  try {
    return ServiceAccount.parse(JSON.parse(text));
  } catch {
    context.issues.push({
      code: 'custom',
      input: undefined,
      message: 'must be the JSON of a service account, with project_id, client_email and private_key',
    });
    return z.NEVER;
  }
}

/** URL schemes with a fixed meaning; redirects to the app must never use them. */
const FOREIGN_SCHEMES = new Set(
  (
    'about android-app blob chrome chrome-extension content data file filesystem ftp ftps http https intent jar javascript ' +
    'livescript mailto mhtml mocha moz-extension ms-its res resource sms smsto tel urn vbs vbscript view-source ws wss'
  ).split(' '),
);

/** A URI scheme of the app (RFC 3986, 3.1). */
const appScheme = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]{0,63}$/i, 'must be a URI scheme, without "://"')
  .transform((scheme) => scheme.toLowerCase())
  .refine((scheme) => !FOREIGN_SCHEMES.has(scheme), 'must be a scheme of your own app');

const list = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
const listOf = (entry: RegExp, rule: string) =>
  z
    .string()
    .default('')
    .transform(list)
    .refine((entries) => entries.every((one) => entry.test(one)), rule);

const longEnough = (secret: string): boolean => secret.length >= 32;
const has32Bytes = (secret: string): boolean => Buffer.from(secret, 'base64').length === 32;

/**
 * Parses a key ring, written `id:secret,id:secret`. The first key signs or encrypts; every key verifies or decrypts.
 */
const keyRing = (usable: (secret: string) => boolean, rule: string) =>
  z.string().transform((text, context) => {
    const keys = text.split(',').map((entry) => {
      const at = entry.indexOf(':');
      return { id: entry.slice(0, at).trim(), secret: entry.slice(at + 1).trim() };
    });
    if (keys.some((key) => !/^[A-Za-z0-9_-]{1,32}$/.test(key.id) || !usable(key.secret))) {
      context.addIssue(`must be id:secret pairs, separated by commas, each secret ${rule}`);
      return z.NEVER;
    }
    return keys;
  });

/** Throttle scopes; `api/http/throttles/scopes.ts` defines each. */
export const THROTTLE_SCOPES = [
  'default_anonymous',
  'default_authenticated',
  'auth',
  'token_refresh',
  'sso',
  'sso_exchange',
  'sso_discovery',
  'account_request',
  'account_request_email',
  'password_reset',
  'password_reset_email',
  'admin_password_reset_target',
  'passkey_begin',
  'passkey_complete',
  'pnm_form',
  'pnm_submit_ip',
  'pnm_submit_email',
  'pnm_verify_email',
  'pnm_attachment',
  'public_reference_letter',
  'public_good_standing',
  'public_receipt',
  'receipt_resend',
  'email_verification',
  'sso_logout',
  'notification_counts',
  'console',
  'email_config_test',
  'bulletin_test',
  'storage_config_test',
  'provisioning_config_test',
  'public_form',
  'public_giving',
  'donate',
  'donate_email',
  'donor_link',
  'donor_link_email',
  'forum_post',
  'forum_comment',
  'forum_flag',
] as const;
export type ThrottleScope = (typeof THROTTLE_SCOPES)[number];

function limitsIn(text: string): Partial<Record<string, number>> | null {
  try {
    return z.record(z.string(), z.number().int().positive()).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATA_DIR: z.string().min(1).default('.data'),

  PORT: port.default(8000),
  BACKEND_URL: origin.optional(),
  FRONTEND_URL: origin.default('http://localhost:3000'),
  GIVING_URL: origin.optional(),
  NUM_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  BODY_LIMIT_BYTES: z.coerce.number().int().positive().default(1_048_576),
  REQUEST_TIMEOUT_SECONDS: seconds.default(30),
  SHUTDOWN_GRACE_SECONDS: seconds.default(20),
  PAY_WAIT_SECONDS: seconds.default(8),
  PROCESS_WATCH_SECONDS: seconds.default(4),
  REFRESH_GRACE_SECONDS: z.coerce.number().int().min(0).max(30).default(0),

  DATABASE_URL: databaseUrl.default('postgres://membership_runtime:runtime@127.0.0.1:5433/membership'),
  DATABASE_OWNER_URL: databaseUrl.default('postgres://membership_owner:owner@127.0.0.1:5433/membership'),
  DATABASE_LISTEN_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  READ_LAG_SECONDS: seconds.default(5),
  DATABASE_POOL: z.coerce.number().int().min(1).max(200).default(16),
  // Whether database connections keep prepared statements. Must be false behind a pooler in transaction mode that does
  // not support them.
  DATABASE_KEEPS_PLANS: z.stringbool().default(true),
  DATABASE_TENANT_SHARE: z.coerce.number().int().min(1).max(200).optional(),

  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s:,]+:\d+(,[^\s:,]+:\d+)*$/, 'must look like host:port, or several of them with commas between')
    .default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_UI_URL: webAddress.default('http://127.0.0.1:8233'),
  TEMPORAL_TASK_QUEUE_PREFIX: z
    .string()
    .regex(/^[\w.-]*$/)
    .default(''),
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^\w[\w.-]{0,99}$/, 'must have at most 100 letters, digits, dots, dashes or underscores')
    .optional(),
  WORKFLOW_BUNDLE: z.string().optional(),
  WORKER_QUEUES: z
    .string()
    .default('core,payments,notify,bulk')
    .transform((text) => text.split(',').map((queue) => queue.trim()))
    .pipe(z.array(z.enum(['core', 'payments', 'notify', 'bulk'])).min(1)),

  JWT_KEYS: keyRing(longEnough, 'at least 32 characters').default([{ id: 'dev', secret: DEVELOPMENT_SECRETS.jwtKey }]),
  DATA_KEYS: keyRing(has32Bytes, '32 bytes in base64').default([{ id: 'dev', secret: DEVELOPMENT_SECRETS.dataKey }]),
  TEMPORAL_PAYLOAD_KEYS: keyRing(has32Bytes, '32 bytes in base64').optional(),
  CODEC_HOST: z.string().min(1).default('127.0.0.1'),
  CODEC_PORT: port.default(8234),
  CODEC_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{32,200}$/, 'must have 32 to 200 letters, digits, dots, dashes or underscores')
    .optional(),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_TLS: flag.optional(),
  TEMPORAL_TLS_CA: pem.optional(),
  TEMPORAL_TLS_CERT: pem.optional(),
  TEMPORAL_TLS_KEY: pem.optional(),

  STRIPE_SECRET_KEY: z.string().min(1).default(DEVELOPMENT_SECRETS.stripeKey),
  STRIPE_WEBHOOK_SECRET: z.string().min(1).default(DEVELOPMENT_SECRETS.webhookSecret),
  STRIPE_API_URL: webAddress.optional(),
  SQUARE_API_URL: webAddress.optional(),
  STRIPE_TIMEOUT_SECONDS: seconds.default(20),
  CHECKOUT_API_URL: webAddress.optional(),
  PAYPAL_API_URL: webAddress.optional(),
  PAYPAL_CA: pem.optional(),

  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an address that begins with smtp:// or smtps://' })
    .default('smtp://127.0.0.1:1025'),
  AI_URL: webAddress.optional(),
  AI_KEY: z.string().min(1).optional(),
  AI_MODEL: z.string().min(1).default('gpt-4o-mini'),
  BOUNCES_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a domain in small letters')
    .optional(),
  BOUNCES_HOST: z.string().min(1).default('127.0.0.1'),
  BOUNCES_PORT: port.default(1026),
  CONTACT_EMAIL: z.email().optional(),
  MAIL_DOMAINS: listOf(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be domains in small letters, separated by commas'),
  MAIL_FROM: z.string().default('Chapter Membership Platform <no-reply@example.org>'),

  WEBAUTHN_RP_ID: z
    .string()
    .regex(
      /^(localhost|([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?)$/,
      'must be a domain, without scheme and port',
    )
    .default('localhost'),
  WEBAUTHN_RP_NAME: z.string().min(1).max(64).default('Chapter Membership Platform'),
  WEBAUTHN_ORIGINS: listOf(
    /^(https?:\/\/[a-z0-9.-]+(:\d+)?|android:apk-key-hash:[A-Za-z0-9_-]{43})$/,
    'must be origins (scheme, host, port) or android:apk-key-hash: values, separated by commas',
  ),
  APPLE_APP_IDS: listOf(/^[A-Z0-9]{10}\.[A-Za-z0-9.-]+$/, 'must be <team id>.<bundle id>, separated by commas'),
  ANDROID_APPS: listOf(
    /^[A-Za-z]\w*(\.[A-Za-z]\w*)+:([0-9A-F]{2}:){31}[0-9A-F]{2}$/i,
    'must be <package>:<SHA-256 fingerprint of its certificate>, separated by commas',
  ),

  SOCIALNET_CLIENT_ID: z.string().min(1).optional(),
  SOCIALNET_CLIENT_SECRET: z.string().min(1).optional(),
  SOCIALNET_AUTHORIZATION_URL: webAddress.default('https://www.linkedin.com/oauth/v2/authorization'),
  SOCIALNET_TOKEN_URL: webAddress.default('https://www.linkedin.com/oauth/v2/accessToken'),
  SOCIALNET_USERINFO_URL: webAddress.default('https://api.linkedin.com/v2/userinfo'),
  SOCIALNET_API_URL: webAddress.default('https://api.linkedin.com'),
  SOCIALNET_API_VERSION: z
    .string()
    .regex(/^\d{6}$/, 'must be a year and a month: 202511')
    .default('202511'),
  SOCIALNET_SCOPES: z.string().min(1).default('openid profile email w_member_social'),
  SOCIALNET_TIMEOUT_SECONDS: seconds.default(8),

  APNS_KEY: pem.optional(),
  APNS_KEY_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'must have 10 capital letters and digits')
    .optional(),
  APNS_TEAM_ID: z
    .string()
    .regex(/^[A-Z0-9]{10}$/, 'must have 10 capital letters and digits')
    .optional(),
  APNS_TOPIC: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,255}$/, 'must be the bundle id of the app')
    .optional(),
  APNS_URL: secureOrigin.optional(),
  APNS_CA: pem.optional(),
  FCM_SERVICE_ACCOUNT: z.string().transform(readServiceAccount).optional(),
  FCM_URL: origin.default('https://fcm.googleapis.com'),
  FCM_TOKEN_URL: webAddress.default('https://oauth2.googleapis.com/token'),
  PUSH_DELIVERY_RECORD_RETENTION_DAYS: z.coerce.number().int().min(0).max(3650).default(90),

  DONATION_FEE_RATE: z
    .string()
    .regex(/^0\.\d{1,6}$/, 'must be a decimal below 1, for example 0.029')
    .default('0.029'),
  DONATION_FEE_FIXED_CENTS: z.coerce.number().int().min(0).max(100_000).default(30),
  PLEDGE_CHARGES: z.stringbool().default(true),
  CREDIT_REFUND_DELAY_MINUTES: z.coerce.number().int().min(0).max(10_080).default(0),
  TEMPORARY_PASSWORD_HOURS: z.coerce.number().int().min(1).max(168).default(72),
  STORAGE_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  STORAGE_REGION: z.string().min(1).default('us-east-1'),
  STORAGE_ENDPOINT: origin.optional(),
  STORAGE_PUBLIC_ENDPOINT: origin.optional(),
  STORAGE_ACCESS_KEY_ID: z.string().min(1).optional(),
  STORAGE_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  STORAGE_ALLOWED_HOSTS: listOf(
    /^([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?$/,
    'must be hosts in small letters, each with its port where that is not the usual one, separated by commas',
  ),
  STORAGE_PROVISIONING_ACCESS_KEY_ID: z.string().min(1).optional(),
  STORAGE_PROVISIONING_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  STORAGE_PROVISIONING_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region')
    .default('us-east-1'),
  STORAGE_PROVISIONING_NAME: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{1,24}[a-z0-9]$/, 'must be 3 to 26 small letters, digits and dashes')
    .default('membership'),
  STORAGE_PROVISIONING_ENDPOINT: origin.optional(),
  STORAGE_PROVISIONING_IDENTITY_ENDPOINT: origin.optional(),

  CLAMD_ADDRESS: z
    .string()
    .regex(/^[^\s:]+:\d+$/, 'must look like host:port')
    .optional(),
  CLAMD_TIMEOUT_SECONDS: seconds.default(60),

  WORKSPACE_SUITE_URL: origin.optional(),
  CLOUD_OFFICE_URL: secureOrigin.optional(),
  CLOUD_OFFICE_CA: pem.optional(),

  THROTTLE_LIMITS: z
    .string()
    .optional()
    .transform((text, context) => {
      if (!text) return {};
      const limits = limitsIn(text);
      const unknown = Object.keys(limits ?? {}).filter((name) => !THROTTLE_SCOPES.some((scope) => scope === name));
      if (limits && unknown.length === 0) return limits;
      context.addIssue(
        limits
          ? `no such scope: ${unknown.join(', ')}. Scopes are ${THROTTLE_SCOPES.join(', ')}`
          : 'must be a JSON object of scope name to a positive whole number',
      );
      return z.NEVER;
    }),
  RELAY_SWEEP_SECONDS: seconds.default(5),
  CAMPAIGN_CACHE_MS: z.coerce.number().int().min(0).max(60_000).default(1_000),

  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  COOKIE_SECURE: flag.optional(),
  MOBILE_APP_SCHEME: appScheme.default('membership'),
  SSO_ALLOW_PRIVATE_ADDRESSES: flag.default(false),
});

type Parsed = z.output<typeof Environment>;

/** Variables that production requires, because their defaults are embedded servers or published secrets. */
const REQUIRED_IN_PRODUCTION = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'JWT_KEYS',
  'DATA_KEYS',
  'TEMPORAL_PAYLOAD_KEYS',
  'SMTP_URL',
  'FRONTEND_URL',
  'BACKEND_URL',
  'WEBAUTHN_RP_ID',
] as const;

/** Checks the passkey settings. A passkey belongs to a domain; browsers offer it nowhere else. */
function passkeyProblems({ WEBAUTHN_RP_ID: domain, WEBAUTHN_ORIGINS, FRONTEND_URL }: NodeJS.ProcessEnv): string[] {
  const origins = list(WEBAUTHN_ORIGINS ?? '');
  const hosts = [...origins, FRONTEND_URL ?? '']
    .filter((url) => URL.canParse(url))
    .map((origin) => new URL(origin).hostname);
  const isReachable = !domain || hosts.some((host) => host === domain || host.endsWith(`.${domain}`));
  return [
    ...(origins.some((origin) => origin.startsWith('http:')) ? ['WEBAUTHN_ORIGINS must use https'] : []),
    ...(isReachable
      ? []
      : ['WEBAUTHN_RP_ID is neither the domain of FRONTEND_URL or WEBAUTHN_ORIGINS nor one above it']),
  ];
}

const HTTPS_IN_PRODUCTION = [
  'SOCIALNET_AUTHORIZATION_URL',
  'SOCIALNET_TOKEN_URL',
  'SOCIALNET_USERINFO_URL',
  'SOCIALNET_API_URL',
  'FCM_URL',
  'FCM_TOKEN_URL',
  'STORAGE_PUBLIC_ENDPOINT',
  'STORAGE_PROVISIONING_ENDPOINT',
  'STORAGE_PROVISIONING_IDENTITY_ENDPOINT',
];

const ALL_OR_NONE = [
  ['STORAGE_BUCKET', 'STORAGE_ACCESS_KEY_ID', 'STORAGE_SECRET_ACCESS_KEY'],
  ['STORAGE_PROVISIONING_ACCESS_KEY_ID', 'STORAGE_PROVISIONING_SECRET_ACCESS_KEY'],
  ['STORAGE_PROVISIONING_ENDPOINT', 'STORAGE_PROVISIONING_IDENTITY_ENDPOINT'],
];

/**
 * Variables with the addresses of simulated office suites, for development only. Production uses the fixed addresses of
 * the providers' libraries, and refuses these variables.
 */
const SIMULATED = ['WORKSPACE_SUITE_URL', 'CLOUD_OFFICE_URL', 'CLOUD_OFFICE_CA'];

/**
 * Returns the Apple team and the topic of the app that receives pushes. A value that is not configured is taken from
 * the first app in APPLE_APP_IDS.
 */
export function pushAppOf(env: NodeJS.ProcessEnv): { teamId: string | undefined; topic: string | undefined } {
  const [first = ''] = list(env['APPLE_APP_IDS'] ?? '');
  const at = first.indexOf('.');
  return {
    teamId: env['APNS_TEAM_ID'] || (at > 0 ? first.slice(0, at) : undefined),
    topic: env['APNS_TOPIC'] || (at > 0 ? first.slice(at + 1) : undefined),
  };
}

function pushProblems(variables: NodeJS.ProcessEnv): string[] {
  if (!variables['APNS_KEY']) return variables['APNS_KEY_ID'] ? ['APNS_KEY_ID needs APNS_KEY'] : [];
  const { teamId, topic } = pushAppOf(variables);
  return [
    ...(variables['APNS_KEY_ID'] ? [] : ['APNS_KEY needs APNS_KEY_ID']),
    ...(teamId ? [] : ['APNS_KEY needs APNS_TEAM_ID or APPLE_APP_IDS']),
    ...(topic ? [] : ['APNS_KEY needs APNS_TOPIC or APPLE_APP_IDS']),
  ];
}

function productionProblems(environment: NodeJS.ProcessEnv): string[] {
  const missing = REQUIRED_IN_PRODUCTION.filter((name) => !environment[name]).map((name) => `${name} is required`);
  const developmentSecrets = Object.values(DEVELOPMENT_SECRETS);
  const leaked = Object.entries(environment)
    .filter(
      ([name, value]) => name in Environment.shape && developmentSecrets.some((secret) => value?.includes(secret)),
    )
    .map(([name]) => `${name} holds a development secret`);
  const insecure = ['FRONTEND_URL', 'BACKEND_URL', ...HTTPS_IN_PRODUCTION]
    .filter((name) => environment[name]?.startsWith('http:'))
    .map((name) => `${name} must use https`);
  const guessable = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_READ_URL']
    .filter((name) => /^postgres(ql)?:\/\/[^:/@]+:(runtime|owner)@/.test(environment[name] ?? ''))
    .map((name) => `${name} holds a development password`);
  const reachable = /^(true|1)$/.test(environment['SSO_ALLOW_PRIVATE_ADDRESSES'] ?? '')
    ? ['SSO_ALLOW_PRIVATE_ADDRESSES is for development only']
    : [];
  const simulated = SIMULATED.filter((name) => environment[name]).map((name) => `${name} is for development only`);
  return [
    ...simulated,
    ...missing,
    ...leaked,
    ...insecure,
    ...guessable,
    ...reachable,
    ...passkeyProblems(environment),
  ];
}

const MAX_FILE_BYTES = 1_048_576;

/**
 * Resolves `<NAME>_FILE`, the path of a file that contains the variable's value. Secrets are mounted as files, so that
 * they do not show in process lists. @param problems receives errors
 */
function withFiles(environment: NodeJS.ProcessEnv, problems: string[]): NodeJS.ProcessEnv {
  const variables = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  for (const name of Object.keys(Environment.shape)) {
    const file = variables[`${name}_FILE`];
    if (file === undefined) continue;
    if (variables[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set; set only one`);
    try {
      const stats = statSync(file);
      // Only a regular file is read, because reading a device such as /dev/zero would never end.
      const readable = stats.isFile() && stats.size <= MAX_FILE_BYTES;
      if (!readable) problems.push(`${name}_FILE must be the path of a file of at most ${MAX_FILE_BYTES} bytes`);
      variables[name] = readable ? readFileSync(file, 'utf8').trim() : undefined;
      if (variables[name] === '') problems.push(`${name}_FILE names an empty file`);
    } catch (error) {
      problems.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return variables;
}

/** Parses an environment. @throws Error that lists every wrong variable, one per line, never its value */
export function parseEnvironment(environment: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const variables = withFiles(environment, problems);
  const parsed = Environment.safeParse(variables);
  if (!parsed.success)
    problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  if (!variables['TEMPORAL_TLS_CERT'] !== !variables['TEMPORAL_TLS_KEY'])
    problems.push('TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY must be set together');
  if (!variables['SOCIALNET_CLIENT_ID'] !== !variables['SOCIALNET_CLIENT_SECRET'])
    problems.push('SOCIALNET_CLIENT_ID and SOCIALNET_CLIENT_SECRET must be set together');
  for (const group of ALL_OR_NONE)
    if (new Set(group.map((name) => !variables[name])).size > 1)
      problems.push(`${group.join(', ')} must be set together`);
  problems.push(...pushProblems(variables));
  // Refuse variables of the Checkout.com library, because it would use their key instead of the organization's key.
  for (const name of Object.keys(variables))
    if (name.startsWith('CKO_')) problems.push(`${name} would replace every organization's key at Checkout.com`);
  if (variables['NODE_ENV'] === 'production') problems.push(...productionProblems(variables));
  if (problems.length > 0) throw new Error(`The environment is not usable:\n  ${problems.join('\n  ')}`);
  return settings((parsed as { data: Parsed }).data, variables);
}

function settings(env: Parsed, variables: NodeJS.ProcessEnv) {
  const production = env.NODE_ENV === 'production';
  const requiredInProduction = (name: 'DATABASE_OWNER_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET'): string => {
    if (production && !variables[name]) throw new Error(`${name} is required for this command.`);
    return env[name];
  };
  const { teamId = '', topic = '' } = pushAppOf(variables);
  return {
    ...env,
    production,
    /** Settings of pushes to iOS devices; null without a key. */
    apns: env.APNS_KEY
      ? { key: env.APNS_KEY, keyId: env.APNS_KEY_ID ?? '', teamId, topic, url: env.APNS_URL, ca: env.APNS_CA }
      : null,
    /** Object storage of the platform; null without credentials. */
    storage: storageOf(env),
    /** Settings for provisioning storage of organizations; null without credentials. */
    storageProvisioning: storageProvisioningOf(env),
    /** Virus scanner for files from unauthenticated senders; null: files are not scanned. */
    clamd: clamdOf(env),
    dataDir: path.resolve(env.DATA_DIR),
    backendUrl: env.BACKEND_URL ?? `http://localhost:${env.PORT}`,
    frontendUrl: env.FRONTEND_URL,
    givingUrl: env.GIVING_URL ?? env.BACKEND_URL ?? `http://localhost:${env.PORT}`,
    cookieSecure: env.COOKIE_SECURE ?? production,
    listenUrl: env.DATABASE_LISTEN_URL ?? env.DATABASE_URL,
    /** Pool connections that the requests of one tenant may hold at once. */
    tenantQuota: Math.min(env.DATABASE_POOL, env.DATABASE_TENANT_SHARE ?? Math.max(2, env.DATABASE_POOL >> 2)),
    metricsHost: env.METRICS_HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    /** Whether traces are recorded and exported. */
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    /**
     * Connection URL of the database owner. Only for commands that act as the owner; API and worker must not know it.
     */
    get DATABASE_OWNER_URL(): string {
      return requiredInProduction('DATABASE_OWNER_URL');
    },
    /**
     * Key with which the seed connects its organizations to Stripe. The organizations' own keys are encrypted in the
     * database.
     */
    get STRIPE_SECRET_KEY(): string {
      return requiredInProduction('STRIPE_SECRET_KEY');
    },
    get STRIPE_WEBHOOK_SECRET(): string {
      return requiredInProduction('STRIPE_WEBHOOK_SECRET');
    },
  };
}

function clamdOf({ CLAMD_ADDRESS: address, CLAMD_TIMEOUT_SECONDS: seconds }: Parsed) {
  if (!address) return null;
  const [host = '', port] = address.split(':');
  return { host, port: Number(port), timeoutMs: seconds * 1000 };
}

function storageOf(env: Parsed) {
  const { STORAGE_BUCKET: bucket, STORAGE_ACCESS_KEY_ID: accessKeyId, STORAGE_SECRET_ACCESS_KEY: secret } = env;
  if (!bucket || !accessKeyId || !secret) return null;
  return {
    bucket,
    accessKeyId,
    secretAccessKey: secret,
    region: env.STORAGE_REGION,
    endpoint: env.STORAGE_ENDPOINT,
    publicEndpoint: env.STORAGE_PUBLIC_ENDPOINT,
  };
}

function storageProvisioningOf(env: Parsed) {
  const { STORAGE_PROVISIONING_ACCESS_KEY_ID: accessKeyId, STORAGE_PROVISIONING_SECRET_ACCESS_KEY: secret } = env;
  if (!accessKeyId || !secret) return null;
  return {
    accessKeyId,
    secretAccessKey: secret,
    region: env.STORAGE_PROVISIONING_REGION,
    name: env.STORAGE_PROVISIONING_NAME,
    endpoint: env.STORAGE_PROVISIONING_ENDPOINT ?? null,
    identityEndpoint: env.STORAGE_PROVISIONING_IDENTITY_ENDPOINT ?? null,
  };
}

export type Config = ReturnType<typeof parseEnvironment>;
export const config: Config = readEnvironment();

/**
 * Checks the address of an identity provider, which an admin typed or the provider published.
 * @returns what is wrong with it; null if it is usable
 */
export function faultOfProviderAddress(address: string): 'insecure' | 'not_bare' | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  const secure = url?.protocol === 'https:' || (url?.protocol === 'http:' && config.SSO_ALLOW_PRIVATE_ADDRESSES);
  if (!url || !secure) return 'insecure';
  return url.username || url.password || url.hash ? 'not_bare' : null;
}

function readEnvironment(): Config {
  try {
    return parseEnvironment({ ...runningStack(process.env), ...process.env });
  } catch (error) {
    if (process.env['NODE_ENV'] === 'test') throw error;
    // Prints the list of wrong variables without a stack trace, which would hide it.
    process.stderr.write(`${(error as Error).message}\n`);
    return process.exit(1);
  }
}

/**
 * Finds the servers of the running `npm start` with the same DATA_DIR, for a command in development. The command uses
 * all of these servers, or none when the environment names one of its own, so that two deployments are never mixed.
 */
function runningStack(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_ENV, DATA_DIR } = environment;
  if (NODE_ENV && NODE_ENV !== 'development') return {};
  const servers = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'TEMPORAL_ADDRESS', 'STRIPE_API_URL'];
  if (servers.some((name) => environment[name] || environment[`${name}_FILE`])) return {};
  try {
    const facts = JSON.parse(readFileSync(path.resolve(DATA_DIR || '.data', 'demo.json'), 'utf8')) as {
      database: { runtime_url: string; owner_url: string | null };
      temporal_address: string;
      temporal_ui_url: string;
      frontend_url: string;
      gateway: { url: string } | null;
    };
    return {
      DATABASE_URL: facts.database.runtime_url,
      DATABASE_OWNER_URL: facts.database.owner_url ?? undefined,
      TEMPORAL_ADDRESS: facts.temporal_address,
      TEMPORAL_UI_URL: facts.temporal_ui_url,
      FRONTEND_URL: facts.frontend_url,
      STRIPE_API_URL: facts.gateway?.url,
    };
  } catch {
    return {};
  }
}
