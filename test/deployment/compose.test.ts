/**
 * Checks of Dockerfile and docker-compose.yml that need no container engine.
 * @jest-environment node
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { apiProgram, workerProgram } from '../../development/stack/parts.js';
import { readSettings } from '../../development/stack/settings.js';
import { parseEnvironment } from '../../config.js';
import { compose, environmentOf, makeSecrets, ours, ROOT } from './composeFile.js';

const services = Object.entries(compose.services);
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const dockerfile = read('Dockerfile');
/** The instructions of each stage; a line that ends in a backslash continues in the next. */
const stages = dockerfile
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((text) => text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#')));
const runtime = stages.at(-1) ?? [];
const argumentsOf = (instruction: string): string[] => {
  const line = runtime.find((text) => text.startsWith(`${instruction} [`)) ?? '';
  return JSON.parse(line.slice(instruction.length)) as string[];
};

let secrets: string;
beforeAll(() => {
  secrets = mkdtempSync(path.join(os.tmpdir(), 'compose-test-'));
  makeSecrets(secrets);
});
afterAll(() => rmSync(secrets, { recursive: true }));

/** `dist/bin/x.js` is compiled from `bin/x.ts`. */
const isProgram = (file: string | undefined): boolean =>
  file !== undefined &&
  /^dist\/bin\/[\w-]+\.js$/.test(file) &&
  existsSync(path.join(ROOT, file.replace('dist/', '').replace(/js$/, 'ts')));

describe('the image', () => {
  test('every base image is pinned to a version', () => {
    const bases = dockerfile.match(/^FROM \S+/gm) ?? [];
    expect(bases.length).toBeGreaterThan(3);
    for (const base of bases) expect(base).toMatch(/^FROM [\w/]+:\d+\.\d+[\w.-]*$/);
  });

  test('the image contains nothing that only development and tests need', () => {
    const inContext = read('.dockerignore').match(/(?<=^!)[\w.-]+$/gm) ?? [];
    expect(inContext).toEqual(
      expect.arrayContaining(['bin', 'api', 'models', 'workflows', 'activities', 'services', 'gateways']),
    );
    expect(inContext).not.toEqual(expect.arrayContaining(['development']));
    expect(inContext).not.toEqual(expect.arrayContaining(['test']));
  });

  test('the image runs as an unprivileged user, starts an existing program, and passes signals on', () => {
    expect(runtime).toContain('USER node');
    expect(argumentsOf('ENTRYPOINT')).toEqual(['node', '--enable-source-maps']);
    expect(isProgram(argumentsOf('CMD')[0])).toBe(true);
    expect(runtime.some((line) => /^(CMD|ENTRYPOINT) [^[]/.test(line))).toBe(false);
  });

  test('the image contains the production packages, the compiled code and the bundled workflows', () => {
    expect(dockerfile).toMatch(/AS deps[^]*RUN npm ci --omit=dev[^]*AS build/);
    expect(runtime.filter((line) => line.startsWith('COPY'))).toEqual([
      'COPY --from=deps /app/node_modules ./node_modules',
      'COPY --from=build /app/dist ./dist',
      'COPY package.json ./',
    ]);
    expect(runtime.join()).toContain('WORKFLOW_BUNDLE=/app/dist/workflow-bundle.js');
    expect(runtime.join()).toContain('NODE_ENV=production');
  });

  test('the build reads the sources only, and no layer contains a secret', () => {
    const lines = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(allowed.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
    expect(allowed.filter((name) => /secret|\.data|\.git|node_modules|dist|test/.test(name))).toEqual([]);
    expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(PASSWORD|SECRET|KEYS|TOKEN)/im);
  });
});

describe('the services', () => {
  test('every image of a service is pinned, or built here', () => {
    const floating = services.filter(
      ([, { image = '', build }]) => !build && !/:(v?\d+\.\d+\.?\d*|RELEASE\.\d)/.test(image),
    );
    expect(floating.map(([name]) => name)).toEqual([]);
    const targets = services.flatMap(([, { build }]) => build?.target ?? []);
    for (const target of targets) expect(dockerfile).toContain(` AS ${target}\n`);
  });

  test.each(ours)('the service %s runs a program that exists', (_, { command, healthcheck }) => {
    const [program] = (command ?? argumentsOf('CMD')).filter((word) => !word.startsWith('--'));
    expect(isProgram(program)).toBe(true);
    const check = healthcheck?.test?.slice(1);
    if (check) expect([check[0], isProgram(check[1])]).toEqual(['node', true]);
  });

  test.each(ours)(
    'the service %s gets no variable that is unknown to config.ts, Node and the C library',
    (_, { environment = {} }) => {
      const settings = [...read('config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
      const known = ['NODE_OPTIONS', 'MALLOC_ARENA_MAX', ...settings];
      expect(Object.keys(environment).filter((name) => !known.includes(name.replace(/_FILE$/, '')))).toEqual([]);
    },
  );

  test.each([
    ['api', apiProgram],
    ['worker-payments', workerProgram],
    ['worker-notify', workerProgram],
  ])('the service %s is measured and deployed with the same memory', (service, programOf) => {
    const { command = [], environment = {} } = services.find(([name]) => name === service)?.[1] ?? {};
    const options = [
      ...(environment['NODE_OPTIONS'] ?? '').split(' ').filter(Boolean),
      ...command.filter((word) => word.startsWith('--')),
    ];
    const program = programOf(readSettings({}));
    expect(options.length).toBeGreaterThan(0);
    expect(program.args.slice(0, options.length)).toEqual(options);
    expect(environment['MALLOC_ARENA_MAX']).toBe(program.env?.['MALLOC_ARENA_MAX']);
  });

  test.each(ours)('the service %s has everything that production requires, and no stand-in', (_, service) => {
    const parsed = parseEnvironment(environmentOf(service, secrets));
    expect(parsed).toMatchObject({ production: true, NUM_PROXIES: 1, cookieSecure: true });
    expect(parsed.STRIPE_API_URL).toBeUndefined();
    expect(parsed.listenUrl).not.toBe(parsed.DATABASE_URL);
  });

  test('the file contains no secret: secrets come from files that make-secrets.sh creates', () => {
    for (const [name, { environment = {}, secrets: mounted = [] }] of services) {
      const open = Object.keys(environment).filter(
        (key) => /PASSWORD|SECRET|KEY|TOKEN|PWD|_URL_FILE/.test(key) && !key.endsWith('_FILE'),
      );
      expect([name, open]).toEqual([name, []]);
      const text = JSON.stringify(compose.services[name]);
      const used = [...text.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret as string);
      expect([name, used.filter((secret) => !mounted.includes(secret))]).toEqual([name, []]);
    }
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      expect(file).toBe(`./docker/secrets/${name}`);
      expect(existsSync(path.join(secrets, name))).toBe(true);
    }
    expect(read('docker/.gitignore')).toContain('secrets/');
  });

  test('running make-secrets.sh again changes nothing', () => {
    const before = Object.keys(compose.secrets).map((name) => readFileSync(path.join(secrets, name), 'utf8'));
    makeSecrets(secrets);
    expect(Object.keys(compose.secrets).map((name) => readFileSync(path.join(secrets, name), 'utf8'))).toEqual(before);
  });

  test('only commands have the owner role, and serving programs wait for the migration', () => {
    const knowing = ours
      .filter(([, { environment = {} }]) => 'DATABASE_OWNER_URL_FILE' in environment)
      .map(([name]) => name);
    expect(knowing.toSorted()).toEqual(['command', 'migrate']);
    const serving = ours.filter(([name]) => /^(api|worker)/.test(name));
    expect(serving.map(([name]) => name).toSorted()).toEqual(['api', 'worker-notify', 'worker-payments']);
    for (const [, { depends_on: waits }] of serving)
      expect(waits?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
  });

  test('there are two APIs, and the workers serve each task queue once', () => {
    expect(compose.services['api']?.deploy?.replicas).toBe(2);
    const queues = ours.flatMap(([, { environment }]) => environment?.['WORKER_QUEUES']?.split(',') ?? []);
    expect(queues.toSorted()).toEqual(['bulk', 'core', 'notify', 'payments']);
  });

  test('the profile cluster adds a second Temporal node like the first, which waits for it', () => {
    const added = services.filter(([, { profiles = [] }]) => profiles.includes('cluster'));
    expect(added.map(([name]) => name)).toEqual(['replica', 'temporal-2']);
    const { temporal: first, 'temporal-2': second } = compose.services;
    const { depends_on: _, ...same } = first ?? {};
    expect(second).toMatchObject(same);
    expect(second?.depends_on).toEqual({ temporal: { condition: 'service_healthy' } });
    for (const [, { environment }] of ours.filter(([name]) => /^(api|worker)/.test(name)))
      expect(environment?.['TEMPORAL_ADDRESS']).toBe('${TEMPORAL_ADDRESS:-temporal:7233}');
  });

  test('the profile cluster adds a replica like the primary, from which the APIs read when configured', () => {
    const { postgres: primary, replica, api } = compose.services;
    const settings = (command: string[] = []) =>
      command.filter((word) => /^(max_connections|shared_buffers)=/.test(word));
    expect([replica?.image, settings(replica?.command)]).toEqual([primary?.image, settings(primary?.command)]);
    expect(settings(primary?.command)).toHaveLength(2);
    expect(primary?.volumes).toContain('./docker/replication.sh:/docker-entrypoint-initdb.d/replication.sh:ro');
    expect(primary?.environment?.['REPLICATION_PASSWORD_FILE']).toBe(
      replica?.environment?.['REPLICATION_PASSWORD_FILE'],
    );
    // Without the profile there is no replica.
    expect(parseEnvironment(environmentOf(api ?? {}, secrets)).DATABASE_READ_URL).toBeUndefined();
    const withReplica = { ...api?.environment, DATABASE_READ_URL_FILE: '/run/secrets/database_read_url' };
    const { DATABASE_READ_URL: url = '' } = parseEnvironment(
      environmentOf({ ...api, environment: withReplica }, secrets),
    );
    expect(new URL(url)).toMatchObject({
      hostname: 'replica',
      username: 'membership_runtime',
      pathname: '/membership',
    });
    const readers = ours.filter(([, { environment = {} }]) => 'DATABASE_READ_URL_FILE' in environment);
    expect(readers.map(([name]) => name)).toEqual(['api']);
  });

  test('every dependency, mount and volume exists', () => {
    for (const [, { depends_on: waits = {}, volumes = [] }] of services) {
      expect(Object.keys(waits).filter((name) => !(name in compose.services))).toEqual([]);
      for (const [source = ''] of volumes.map((volume) => volume.split(':')))
        expect([
          source,
          source.startsWith('./') ? existsSync(path.join(ROOT, source)) : source in compose.volumes,
        ]).toEqual([source, true]);
    }
  });

  test('a service whose health is waited for has a check of the port that its process listens on', () => {
    const awaited = services.flatMap(([, { depends_on: waits = {} }]) =>
      Object.entries(waits).flatMap(([name, { condition }]) => (condition === 'service_healthy' ? [name] : [])),
    );
    for (const name of new Set(awaited)) {
      const { healthcheck, build } = compose.services[name] ?? {};
      expect([name, Boolean(healthcheck?.test ?? build)]).toEqual([name, true]);
    }
    for (const [, { healthcheck, environment }] of ours)
      if (healthcheck?.test)
        expect(healthcheck.test.at(-1)).toBe(`http://127.0.0.1:${environment?.['METRICS_PORT']}/metrics`);
    expect(dockerfile).toContain('"http://127.0.0.1:8000/healthz/"');
  });

  test('Postgres allows the connections of all its clients', () => {
    const maxConnections = Number(
      /max_connections=(\d+)/.exec(JSON.stringify(compose.services['postgres']?.command))?.[1],
    );
    const pooled = Number(compose.services['pooler']?.environment?.['POOLER_SIZE']);
    // Each of a node's four parts keeps up to 20 connections for its store and 10 for its search; a worker listens on one.
    const nodes = services.filter(([, { image }]) => image?.startsWith('temporalio/server:')).length;
    const temporal = nodes * 4 * (20 + 10);
    const listeners = ours.filter(([name]) => name.startsWith('worker')).length;
    expect(pooled + temporal + listeners).toBeLessThan(maxConnections - 20);
  });
});
