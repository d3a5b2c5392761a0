/**
 * The workspace suite's directory API, as far as the platform uses it: service account tokens, users, groups, units, a
 * domain.
 */
import { createHmac, createPublicKey, timingSafeEqual } from 'node:crypto';
import { verify } from 'jsonwebtoken';
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { Directory, Person } from './directory.js';
import type { Fault, Faults, Operation } from './faults.js';

export interface WorkspaceAccount {
  client_email: string;
  private_key: string;
  /** The administrator whom the service account impersonates. */
  delegated_admin: string;
}

export interface WorkspaceSuite {
  account: WorkspaceAccount;
  directory: Directory;
  units: readonly string[];
  faults: Faults;
}

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/**
 * Audience that the assertions of a service account must name. It is the address of Google's token endpoint, although
 * the stand-in has its own token endpoint.
 */
const AUDIENCE = 'https://oauth2.googleapis.com/token';
const ROOT = '/admin/directory/v1';
const LASTS_SECONDS = 3_599;

const refused = (status: number, reason: string, headers: Record<string, string> = {}): Answer =>
  jsonAnswer(
    status,
    { error: { code: status, message: reason, errors: [{ domain: 'global', reason, message: reason }] } },
    headers,
  );
const missing = () => refused(404, 'notFound');

const FAULTS: Partial<Record<Fault['kind'], (fault: Fault) => Answer | null>> = {
  quota: ({ retry_after }) =>
    retry_after
      ? refused(429, 'rateLimitExceeded', { 'Retry-After': String(retry_after) })
      : refused(403, 'quotaExceeded'),
  conflict: () => refused(409, 'conflict'),
  down: () => refused(503, 'backendError'),
  refused: () => refused(403, 'forbidden'),
  lost: () => null,
};

/**
 * Serves one request.
 * @returns the response, or null to drop the connection
 */
export async function serveWorkspaceSuite(suite: WorkspaceSuite, exchange: Exchange): Promise<Answer | null> {
  const { url, method } = exchange;
  const isToken = method === 'POST' && url.pathname === '/token';
  if (!isToken && !isTokenValid(suite.account, exchange.header('authorization'))) return refused(401, 'authError');
  const route = isToken ? null : routeOf(method, url.pathname);
  if (!isToken && !route) return missing();
  const fault = suite.faults.take(isToken ? 'token' : (route as Route).operation);
  if (fault?.kind === 'hold_before') await suite.faults.hold();
  const strikes = fault && FAULTS[fault.kind];
  if (fault?.kind !== 'lost' && strikes) return strikes(fault);
  const text = await exchange.text();
  const answer = route ? route.serve(suite, text) : redeem(suite.account, new URLSearchParams(text));
  if (fault?.kind === 'hold_after') await suite.faults.hold();
  return fault?.kind === 'lost' ? null : answer;
}

interface Route {
  operation: Operation;
  serve: (suite: WorkspaceSuite, body: string) => Answer;
}

const ROUTES: [string, RegExp, Operation, (suite: WorkspaceSuite, key: string, body: string) => Answer][] = [
  ['POST', /^\/users$/, 'create', (suite, _, body) => create(suite, body)],
  ['GET', /^\/users\/([^/]+)$/, 'get', ({ directory }, key) => shown(directory.find(key))],
  ['PUT', /^\/users\/([^/]+)$/, 'update', ({ directory }, key, body) => update(directory, key, body)],
  ['POST', /^\/groups\/([^/]+)\/members$/, 'join', ({ directory }, key, body) => join(directory, key, body)],
  [
    'GET',
    /^\/groups\/([^/]+)$/,
    'look',
    ({ directory }, key) => foundOrMissing(directory.groups.includes(key), { email: key }),
  ],
  [
    'GET',
    /^\/customer\/my_customer\/domains\/([^/]+)$/,
    'look',
    ({ directory }, key) => foundOrMissing(directory.domain === key, { domainName: key, verified: true }),
  ],
  [
    'GET',
    /^\/customer\/my_customer\/orgunits\/(.+)$/,
    'look',
    ({ units }, key) => foundOrMissing(units.includes(`/${key}`), { orgUnitPath: `/${key}` }),
  ],
];

function routeOf(method: string, pathname: string): Route | null {
  if (!pathname.startsWith(ROOT)) return null;
  for (const [verb, pattern, operation, serve] of ROUTES) {
    const match = verb === method ? pattern.exec(pathname.slice(ROOT.length)) : null;
    if (match) return { operation, serve: (suite, body) => serve(suite, decodeURIComponent(match[1] ?? ''), body) };
  }
  return null;
}

const foundOrMissing = (is: boolean, what: object): Answer => (is ? jsonAnswer(200, what) : missing());

const NewUser = z.object({
  primaryEmail: z.email(),
  name: z.object({ givenName: z.string().max(60), familyName: z.string().max(60) }),
  password: z.string().min(8).max(100),
  changePasswordAtNextLogin: z.boolean().default(false),
  externalIds: z
    .array(z.object({ type: z.string(), customType: z.string().optional(), value: z.string() }))
    .default([]),
  orgUnitPath: z.string().optional(),
});

function create({ directory, units }: WorkspaceSuite, body: string): Answer {
  const { data } = NewUser.safeParse(JSON.parse(body));
  if (!data?.primaryEmail.endsWith(`@${directory.domain}`)) return refused(400, 'invalid');
  if (data.orgUnitPath && !units.includes(data.orgUnitPath)) return refused(400, 'invalid');
  if (directory.has(data.primaryEmail)) return refused(409, 'duplicate');
  const person = directory.add({
    address: data.primaryEmail,
    externalId: data.externalIds[0]?.value ?? null,
    first_name: data.name.givenName,
    last_name: data.name.familyName,
    unit: data.orgUnitPath ?? null,
    password: data.password,
    must_change_password: data.changePasswordAtNextLogin,
  });
  return jsonAnswer(200, userOf(person));
}

const userOf = (person: Person) => ({
  kind: 'admin#directory#user',
  id: person.id,
  primaryEmail: person.address,
  suspended: person.is_suspended,
  name: { givenName: person.first_name, familyName: person.last_name },
  ...(person.externalId === null
    ? {}
    : { externalIds: [{ type: 'custom', customType: 'membership_platform', value: person.externalId }] }),
});

const shown = (person: Person | null): Answer => (person ? jsonAnswer(200, userOf(person)) : missing());

const UserChange = z.object({
  suspended: z.boolean().optional(),
  password: z.string().min(8).optional(),
  changePasswordAtNextLogin: z.boolean().optional(),
});

function update(directory: Directory, key: string, body: string): Answer {
  const person = directory.find(key);
  if (!person) return missing();
  const { suspended, password, changePasswordAtNextLogin } = UserChange.parse(JSON.parse(body));
  directory.change(person, {
    ...(suspended !== undefined && { is_suspended: suspended }),
    ...(password !== undefined && { password, must_change_password: changePasswordAtNextLogin ?? false }),
  });
  return shown(person);
}

function join(directory: Directory, group: string, body: string): Answer {
  if (!directory.groups.includes(group)) return missing();
  const person = directory.find((JSON.parse(body) as { id: string }).id);
  if (!person) return missing();
  if (person.groups.includes(group)) return refused(409, 'duplicate');
  directory.change(person, { groups: [...person.groups, group] });
  return jsonAnswer(200, { kind: 'admin#directory#member', id: person.id, role: 'MEMBER' });
}

function redeem({ client_email, private_key, delegated_admin }: WorkspaceAccount, form: URLSearchParams): Answer {
  const no = (error: string) => jsonAnswer(400, { error, error_description: error });
  if (form.get('grant_type') !== GRANT) return no('unsupported_grant_type');
  try {
    const expected = {
      algorithms: ['RS256' as const],
      issuer: client_email,
      audience: AUDIENCE,
      subject: delegated_admin,
    };
    const claims = verify(form.get('assertion') ?? '', createPublicKey(private_key), expected);
    if (typeof claims === 'string' || !String(claims['scope']).includes('admin.directory.user'))
      return no('invalid_scope');
  } catch {
    return no('invalid_grant');
  }
  const expires = Math.floor(Date.now() / 1000) + LASTS_SECONDS;
  const access_token = `ya29.${expires}.${proofOf(private_key, String(expires))}`;
  return jsonAnswer(200, { access_token, expires_in: LASTS_SECONDS, token_type: 'Bearer' });
}

/**
 * Returns a token's signature. Tokens are verified by this signature and not stored, so that they stay valid after a
 * restart.
 */
const proofOf = (key: string, expires: string): string => createHmac('sha256', key).update(expires).digest('base64url');

function isTokenValid({ private_key }: WorkspaceAccount, authorization: string | null): boolean {
  const [, expires = '', proof = ''] = /^Bearer ya29\.(\d+)\.([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [received, expected] = [Buffer.from(proof), Buffer.from(proofOf(private_key, expires))];
  return (
    received.length === expected.length && timingSafeEqual(received, expected) && Number(expires) * 1000 > Date.now()
  );
}
