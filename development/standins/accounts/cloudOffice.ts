/** The cloud office's graph API, as far as the platform uses it: application tokens, users, groups, a domain. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { Directory, Person } from './directory.js';
import type { Fault, Faults, Operation } from './faults.js';

export interface OfficeApplication {
  tenant_id: string;
  client_id: string;
  client_secret: string;
}

export interface CloudOffice {
  application: OfficeApplication;
  directory: Directory;
  faults: Faults;
}

const ROOT = '/v1.0';
const LASTS_SECONDS = 3_599;

const refused = (status: number, code: string, message = code, headers: Record<string, string> = {}): Answer =>
  jsonAnswer(status, { error: { code, message, innerError: { 'request-id': 'standin' } } }, headers);
const missing = () => refused(404, 'Request_ResourceNotFound');
const exists = (field: string) =>
  refused(400, 'Request_BadRequest', `Another object with the same value for property ${field} already exists.`);
const nothing: Answer = { status: 204, body: '', headers: {} };

const FAULTS: Partial<Record<Fault['kind'], (fault: Fault) => Answer | null>> = {
  quota: ({ retry_after = 1 }) => refused(429, 'TooManyRequests', 'Too many.', { 'Retry-After': String(retry_after) }),
  conflict: () => refused(409, 'Directory_ConcurrencyViolation'),
  down: () => refused(503, 'ServiceUnavailable'),
  refused: () => refused(403, 'Authorization_RequestDenied'),
  lost: () => null,
};

/**
 * Serves one request.
 * @returns the response, or null to drop the connection
 */
export async function serveCloudOffice(office: CloudOffice, exchange: Exchange): Promise<Answer | null> {
  const { url, method } = exchange;
  const { tenant_id } = office.application;
  const isToken = method === 'POST' && url.pathname === `/${tenant_id}/oauth2/v2.0/token`;
  if (!isToken && !isTokenValid(office.application, exchange.header('authorization')))
    return refused(401, 'InvalidAuthenticationToken');
  const route = isToken ? null : routeOf(method, url.pathname);
  if (!isToken && !route) return missing();
  const fault = office.faults.take(isToken ? 'token' : (route as Route).operation);
  if (fault?.kind === 'hold_before') await office.faults.hold();
  const strikes = fault && FAULTS[fault.kind];
  if (fault?.kind !== 'lost' && strikes) return strikes(fault);
  const text = await exchange.text();
  const answer = route ? route.serve(office.directory, text) : redeem(office.application, new URLSearchParams(text));
  if (fault?.kind === 'hold_after') await office.faults.hold();
  return fault?.kind === 'lost' ? null : answer;
}

interface Route {
  operation: Operation;
  serve: (directory: Directory, body: string) => Answer;
}

const ROUTES: [string, RegExp, Operation, (directory: Directory, key: string, body: string) => Answer][] = [
  ['POST', /^\/users$/, 'create', (directory, _, body) => create(directory, body)],
  ['GET', /^\/users\/([^/]+)$/, 'get', (directory, key) => shown(directory.find(key))],
  ['PATCH', /^\/users\/([^/]+)$/, 'update', update],
  ['POST', /^\/groups\/([^/]+)\/members\/\$ref$/, 'join', join],
  [
    'GET',
    /^\/groups\/([^/]+)$/,
    'look',
    (directory, key) => (directory.groups.includes(key) ? jsonAnswer(200, { id: key }) : missing()),
  ],
  [
    'GET',
    /^\/domains\/([^/]+)$/,
    'look',
    (directory, key) => (directory.domain === key ? jsonAnswer(200, { id: key, isVerified: true }) : missing()),
  ],
];

function routeOf(method: string, pathname: string): Route | null {
  if (!pathname.startsWith(ROOT)) return null;
  for (const [verb, pattern, operation, serve] of ROUTES) {
    const match = verb === method ? pattern.exec(pathname.slice(ROOT.length)) : null;
    if (match)
      return { operation, serve: (directory, body) => serve(directory, decodeURIComponent(match[1] ?? ''), body) };
  }
  return null;
}

const Profile = z.object({
  password: z.string().min(8).max(256),
  forceChangePasswordNextSignIn: z.boolean().default(true),
});

const NewUser = z.object({
  accountEnabled: z.literal(true),
  displayName: z.string().min(1).max(256),
  givenName: z.string().max(64),
  surname: z.string().max(64),
  userPrincipalName: z.email(),
  mailNickname: z.string().min(1).max(64),
  onPremisesImmutableId: z.string().nullable().default(null),
  department: z.string().max(64).nullable().default(null),
  passwordProfile: Profile,
});

function create(directory: Directory, body: string): Answer {
  const { data } = NewUser.safeParse(JSON.parse(body));
  if (!data?.userPrincipalName.endsWith(`@${directory.domain}`))
    return refused(400, 'Request_BadRequest', 'Invalid value.');
  if (directory.has(data.userPrincipalName)) return exists('userPrincipalName');
  const { onPremisesImmutableId: externalId } = data;
  if (externalId !== null && directory.all().some((one) => one.externalId === externalId))
    return exists('onPremisesImmutableId');
  const person = directory.add({
    address: data.userPrincipalName,
    externalId,
    first_name: data.givenName,
    last_name: data.surname,
    unit: data.department,
    password: data.passwordProfile.password,
    must_change_password: data.passwordProfile.forceChangePasswordNextSignIn,
  });
  return jsonAnswer(201, userOf(person));
}

const userOf = ({ id, address, externalId, is_suspended }: Person) => ({
  id,
  userPrincipalName: address,
  onPremisesImmutableId: externalId,
  accountEnabled: !is_suspended,
});

const shown = (person: Person | null): Answer => (person ? jsonAnswer(200, userOf(person)) : missing());

const UserChange = z.object({ accountEnabled: z.boolean().optional(), passwordProfile: Profile.optional() });

function update(directory: Directory, key: string, body: string): Answer {
  const person = directory.find(key);
  if (!person) return missing();
  const { accountEnabled, passwordProfile } = UserChange.parse(JSON.parse(body));
  directory.change(person, {
    ...(accountEnabled !== undefined && { is_suspended: !accountEnabled }),
    ...(passwordProfile && {
      password: passwordProfile.password,
      must_change_password: passwordProfile.forceChangePasswordNextSignIn,
    }),
  });
  return nothing;
}

function join(directory: Directory, group: string, body: string): Answer {
  if (!directory.groups.includes(group)) return missing();
  const { '@odata.id': link } = z.object({ '@odata.id': z.string() }).parse(JSON.parse(body));
  const person = directory.find(link.slice(link.lastIndexOf('/') + 1));
  if (!person) return missing();
  if (person.groups.includes(group))
    return refused(400, 'Request_BadRequest', "One or more added object references already exist for: 'members'.");
  directory.change(person, { groups: [...person.groups, group] });
  return nothing;
}

function redeem({ client_id, client_secret }: OfficeApplication, form: URLSearchParams): Answer {
  const no = (error: string, status = 400) => jsonAnswer(status, { error, error_description: error });
  if (form.get('grant_type') !== 'client_credentials') return no('unsupported_grant_type');
  if (!form.get('scope')?.endsWith('/.default')) return no('invalid_scope');
  if (form.get('client_id') !== client_id || form.get('client_secret') !== client_secret)
    return no('invalid_client', 401);
  const expires = Math.floor(Date.now() / 1000) + LASTS_SECONDS;
  const access_token = `${expires}.${proofOf(client_secret, String(expires))}`;
  return jsonAnswer(200, { token_type: 'Bearer', expires_in: LASTS_SECONDS, access_token });
}

/**
 * Returns a token's signature. Tokens are verified by this signature and not stored, so that they stay valid after a
 * restart.
 */
const proofOf = (key: string, expires: string): string => createHmac('sha256', key).update(expires).digest('base64url');

function isTokenValid({ client_secret }: OfficeApplication, authorization: string | null): boolean {
  const [, expires = '', proof = ''] = /^Bearer (\d+)\.([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [received, expected] = [Buffer.from(proof), Buffer.from(proofOf(client_secret, expires))];
  return (
    received.length === expected.length && timingSafeEqual(received, expected) && Number(expires) * 1000 > Date.now()
  );
}
