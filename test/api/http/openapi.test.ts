/** Compares each registered route with the published OpenAPI document, and the document with that of the last release. */
import { readFileSync } from 'node:fs';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { operationIdOf } from '../../../api/http/docs/operationIds.js';
import { openApiPath } from '../../../api/http/docs/operations.js';
import { allRoutes } from '../../../api/routes.js';
import { findBreaks, readApiFacts } from '../../../development/releases/apiFacts.js';
import {
  findUnannounced,
  isHigherMajor,
  readLastRelease,
  releasedVersions,
} from '../../../development/releases/releases.js';
import { SSO_FAILURES } from '../../../models/identity/sso/errors.js';
import { errorTable } from '../../../models/errors.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  security: object[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, Media> };
  tags: string[];
  responses: Record<string, Answer>;
}

interface Answer {
  description: string;
  headers?: object;
  content?: Record<string, Media>;
}

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  anyOf?: Schema[];
}

interface Document {
  openapi: string;
  info: { version: string; description: string; contact: object };
  tags: { name: string; description: string }[];
  externalDocs: { url: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Answer> };
}

/** The verbs that an operation id may begin with. Add the plain English word for a new action. */
const VERBS = (
  'accept adjust appeal begin cancel change close complete confirm connect create decide decline delete disable discover dismiss enable ' +
  'end erase exchange explain export file flag forward get give grant hand import invite is issue join leave list lock log mail make mark move pause pay pin preview publish reactivate read reconcile record regenerate ' +
  'receive refresh refund remind remove reopen replace request resend reset resolve resume retire retry revert review revoke rotate schedule search send set ' +
  'start step stop submit suspend switch test transfer unpin unpublish unreconcile unschedule unsubscribe update upload verify void waive withdraw'
).split(' ');

let document: Document;
let bytes: number;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);

const api = anApi();
beforeAll(async () => {
  document = (await new Client(api.url).get<Document>('/api/schema/')).body;
  bytes = JSON.stringify(document).length;
  for (const item of Object.values(document.paths))
    for (const { responses } of Object.values(item))
      for (const [status, answer] of Object.entries(responses)) responses[status] = referred(answer);
  ajv.addSchema({ $id: 'document', components: document.components });
});

/** Follows the reference of an operation's answer; returns the answer itself if it is no reference. */
function referred(answer: Answer | { $ref: string }): Answer {
  if (!('$ref' in answer)) return answer;
  const found = document.components.responses[answer.$ref.split('/').at(-1) as string];
  if (!found) throw new Error(`${answer.$ref} leads nowhere.`);
  return found;
}

/** By schema: many operations share one. */
const validators = new Map<string, ValidateFunction>();
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validator = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
  validators.set(text, validator);
  return validator;
}

const operationOf = (route: (typeof allRoutes)[number]): Operation | undefined =>
  document.paths[openApiPath(route.path)]?.[route.method];

const named = allRoutes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

const { version } = require('../../../package.json') as { version: string };

test('the document is OpenAPI 3.1 with the version of the release', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe(version);
});

test('the API breaks its last release only with a higher major version and a dated line in the changelog', () => {
  const last = readLastRelease();
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  // Every release has its description, so without one the changelog names no release either.
  expect(releasedVersions(changelog)[0]).toBe(last?.version);
  if (last === null) return;
  const breaks = findBreaks(readApiFacts(last.description), readApiFacts(document));
  expect(isHigherMajor(version, last.version) ? [] : breaks).toEqual([]);
  expect(findUnannounced(breaks, changelog, last.version)).toEqual([]);
});

test('an operation that goes from the document is the only break', () => {
  const path = '/api/forums/';
  const { get: _, ...others } = document.paths[path] as Record<string, Operation>;
  const facts = readApiFacts(document);
  const without = readApiFacts({ ...document, paths: { ...document.paths, [path]: others } });
  expect(facts.guaranteed.size).toBeGreaterThan(10_000);
  expect(findBreaks(facts, without)).toEqual([{ operation: `GET ${path}`, change: `GET ${path}: went` }]);
  expect(findBreaks(without, facts)).toEqual([]);
});

test('the document defines shared answers once and stays small for its number of operations', () => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item)).length;
  expect(operations).toBeGreaterThan(100);
  expect(bytes / operations).toBeLessThan(3_500);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => to);
  expect(references.filter((to) => !/^#\/components\/(schemas|responses|headers)\/[\w.-]+$/.test(to))).toEqual([]);
});

test('the error page that the document names lists every code', async () => {
  const { pathname } = new URL(document.externalDocs.url);
  const page = await (await fetch(api.url + pathname)).text();
  for (const { code } of errorTable()) expect(page).toContain(`<code>${code}</code>`);
});

test('operation ids are unique and consist of a verb and an object', () => {
  const ids = allRoutes.map(operationIdOf);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const unnatural = ids.filter((id) => !new RegExp(`^(${VERBS.join('|')})([A-Z][a-z]+)+$|^impersonate$`).test(id));
  expect(unnatural).toEqual([]);
  // Catches ids whose last path segment was mistaken for a noun or for a verb.
  expect(
    ids.filter((id) => /^create\w*(Revoke|Resend|Discover|Login|Callback)|^(get|list)\w*Me[A-Z]/.test(id)),
  ).toEqual([]);
});

test('the path parameter of an organization is organization_id everywhere, so that it is compared with the tenant', () => {
  const named = allRoutes.flatMap(({ path }) =>
    [...path.matchAll(/\/(?:organizations|dues)\/(:\w+)/g)].map(([, name]) => name),
  );
  expect(new Set(named)).toEqual(new Set([':organization_id']));
});

test('tags are declared, described and used', () => {
  const used = Object.values(document.paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags));
  expect(new Set(used)).toEqual(new Set(document.tags.map(({ name }) => name)));
  for (const { description } of document.tags) expect(description).toMatch(/\w\.$/);
});

test('the document names a contact', () => {
  expect(document.info.contact).toEqual({ name: expect.any(String), url: expect.stringMatching(/^http/) });
});

test('a schema with a format has no pattern, and every timestamp has the format date-time', () => {
  const schemas: { name: string; schema: Schema }[] = [];
  const walk = (value: unknown, name: string): void => {
    if (value === null || typeof value !== 'object') return;
    if ('type' in value || 'anyOf' in value) schemas.push({ name, schema: value as Schema });
    for (const [key, inner] of Object.entries(value)) if (!/^examples?$/.test(key)) walk(inner, key);
  };
  walk(document, '');
  expect(schemas.length).toBeGreaterThan(500);
  expect(schemas.filter(({ schema: { format, type, pattern } }) => (format || type === 'integer') && pattern)).toEqual(
    [],
  );
  const moments = schemas.filter(({ name }) => name.endsWith('_at'));
  expect(moments.length).toBeGreaterThan(50);
  const untold = moments.filter(
    ({ schema }) => ![schema, ...(schema.anyOf ?? [])].some(({ format }) => format === 'date-time'),
  );
  expect(untold).toEqual([]);
});

/** Matches portable patterns: without look-around, Unicode properties, back references, possessive and large counts. */
const PORTABLE = (() => {
  const escape = String.raw`\\(?:[dwsS.\\/()[\]{}|?*+^$-]|x[0-9a-f]{2})`;
  const set = String.raw`\[\^?(?:[^\\[\]]|${escape})+\]`;
  const sign = String.raw`[^\\[\](){}|?*+^$]`;
  const atom = String.raw`(?:${sign}|${escape}|${set}|[|^$]|\((?:\?:|(?!\?))|\))`;
  return new RegExp(String.raw`^(?:${atom}(?:[?*+]|\{\d{1,3}(?:,\d{0,3})?\})?)*$`);
})();

test.each([
  [String.raw`^[a-z_]{1,100}:(?:[0-9a-f]{8}|\.)*$`, true],
  [String.raw`^[^\x00-\x1f]?(a|b)+$`, true],
  [String.raw`^\P{Cc}*$`, false],
  ['^(?=.{4}$)', false],
  ['^(?<name>a)$', false],
  [String.raw`^(a)\1$`, false],
  ['^a{1,1400}$', false],
  ['^a++$', false],
  [String.raw`^[\u202a]$`, false],
])('the pattern %s is portable: %p', (pattern, isPortable) => {
  expect(PORTABLE.test(pattern)).toBe(isPortable);
});

test('every published pattern means the same in Python, Go, Java and JavaScript', () => {
  const patterns = new Set<string>();
  const walk = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    if ('pattern' in value && typeof value.pattern === 'string') patterns.add(value.pattern);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(document);
  expect(patterns.size).toBeGreaterThan(15);
  expect([...patterns].filter((pattern) => !PORTABLE.test(pattern))).toEqual([]);
});

test('an answer that is a file is described as bytes of its type', () => {
  const content = document.paths['/api/billing/me/statement/']?.['get']?.responses['200']?.content;
  expect(content).toMatchObject({ 'application/pdf': { schema: { type: 'string', format: 'binary' } } });
});

test('a sign-in that refuses by a redirect documents every reason', () => {
  const responses = document.paths['/api/auth/sso/oauth/{slug}/login/']?.['get']?.responses;
  for (const reason of SSO_FAILURES) expect(responses?.['302']?.description).toContain(`\`${reason}\``);
});

test('the document describes the error for too large headers once, for all operations', () => {
  expect(document.info.description).toContain('431 `headers_too_large`');
});

test.each([
  ['post', '/api/auth/sso/saml/{slug}/acs/', ['SAMLResponse', 'RelayState']],
  ['post', '/api/auth/sso/saml/{slug}/sls/', ['SAMLRequest', 'SAMLResponse', 'RelayState']],
])('%s %s accepts a form', (method, path, fields) => {
  const content = document.paths[path]?.[method]?.requestBody?.content ?? {};
  expect(Object.keys(content)).toEqual(['application/x-www-form-urlencoded']);
  const [form = { schema: {} }] = Object.values(content);
  const { $ref = '' } = form.schema as { $ref?: string };
  const schema = document.components.schemas[$ref.split('/').at(-1) as string] as { properties: object };
  expect(Object.keys(schema.properties)).toEqual(fields);
});

test('a raw body is a form, except for webhook events, whose bytes are signed', () => {
  const unparsed = allRoutes.filter(({ spec }) => spec.rawBody && !spec.form);
  expect(unparsed.map(({ path }) => path)).toEqual(['/api/finances/webhooks/processor/']);
});

test('the SAML metadata is described with its media type', () => {
  const metadata = document.paths['/api/auth/sso/saml/{slug}/metadata/']?.['get'];
  expect(Object.keys(metadata?.responses['200']?.content ?? {})).toEqual(['application/samlmetadata+xml']);
});

test('no two routes answer the same method and address', () => {
  const addresses = allRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/:[^/]+/g, ':')}`);
  expect(addresses.filter((address, at) => addresses.indexOf(address) !== at)).toEqual([]);
});

/** Runs a check for every route. @returns the routes that fail it, each with the reason */
function offenders(check: (route: (typeof allRoutes)[number]) => void): string[] {
  return named.flatMap(([name, route]) => {
    try {
      check(route);
      return [];
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}

test('a route that breaks a rule is listed with the reason', () => {
  const [first = ''] = named.map(([name]) => name);
  const broken = offenders((route) => {
    if (route === allRoutes[0]) throw new Error('no summary');
  });
  expect(broken).toEqual([`${first}: no summary`]);
});

test('every route is described', () => {
  expect(offenders((route) => expect(operationOf(route)?.operationId).toBe(operationIdOf(route)))).toEqual([]);
});

test('every path parameter has a schema', () => {
  const broken = offenders(({ path, spec }) => {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys((spec.params as { shape?: object } | undefined)?.shape ?? {})).toEqual(inPath);
  });
  expect(broken).toEqual([]);
});

test('every path ends with a slash, except well-known names, and its parameters are described as required', () => {
  const broken = offenders((route) => {
    expect(route.path).toMatch(/^\/(\S*\/|\.well-known\/[\w.-]+)?$/);
    const inPath = [...route.path.matchAll(/:([^/]+)/g)].map(([, name = '']) => name);
    const described = operationOf(route)?.parameters?.filter((parameter) => parameter.in === 'path') ?? [];
    expect(described.map(({ name }) => name).toSorted()).toEqual(inPath.toSorted());
    expect(described.every(({ required }) => required)).toBe(true);
  });
  expect(broken).toEqual([]);
});

test('every route documents its authentication, its refusals and its throttle', () => {
  const broken = offenders((route) => {
    expect(operationOf(route)?.security.length).toBe(route.spec.access === 'public' ? 0 : 2);
    const statuses = Object.keys(operationOf(route)?.responses ?? {});
    if (route.spec.access !== 'public') expect(statuses).toEqual(expect.arrayContaining(['401', '403']));
    // A browser that signs in is redirected on every error.
    if (route.spec.errorsAtCallback) expect(statuses).toEqual(['302']);
    else if (route.spec.throttle?.length !== 0) expect(statuses).toContain('429');
  });
  expect(broken).toEqual([]);
});

test('every schema compiles, and its examples are valid', () => {
  const broken = offenders((route) => {
    const { requestBody, responses = {} } = operationOf(route) ?? {};
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) => Object.values(body?.content ?? {}));
    for (const { schema, example, examples } of bodies) {
      const valid = validatorOf(schema);
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      for (const value of values) expect([value, valid(value) || valid.errors]).toEqual([value, true]);
    }
  });
  expect(broken).toEqual([]);
});

test('every redirect, and every answer that names a process, documents its Location header', () => {
  const broken = offenders((route) => {
    for (const [status, { headers }] of Object.entries(operationOf(route)?.responses ?? {})) {
      const hasLocation =
        (status.startsWith('3') && status !== '304') || (route.spec.later === true && status === '202');
      expect('Location' in (headers ?? {})).toBe(hasLocation);
    }
  });
  expect(broken).toEqual([]);
});

test('every route documents the content of its success', () => {
  const broken = offenders((route) => {
    const { response, textResponse, status = response ? 200 : 204 } = route.spec;
    const described = operationOf(route)?.responses[String(status)];
    expect(Boolean(described?.content)).toBe(Boolean(response ?? textResponse));
  });
  expect(broken).toEqual([]);
});
