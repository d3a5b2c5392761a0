/** Each registered route against the published description. */
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { operationIdOf } from '../../../api/http/docs/operationIds.js';
import { isNavigation } from '../../../api/identity/sso/returnToCallback.js';
import { openApiPath } from '../../../api/http/docs/operations.js';
import { allRoutes } from '../../../api/routes.js';
import { errorTable } from '../../../models/errors.js';
import { Client, type RunningApi, startApi } from '../../support/api.js';

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
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

interface Document {
  openapi: string;
  info: { version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

let api: RunningApi;
let document: Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);

beforeAll(async () => {
  api = await startApi();
  document = (await new Client(api.url).get<Document>('/api/schema/')).body;
  ajv.addSchema({ $id: 'document', components: document.components });
});
afterAll(() => api.close());

const validatorOf = (schema: object) =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);

const operationOf = (route: (typeof allRoutes)[number]): Operation | undefined =>
  document.paths[openApiPath(route.path)]?.[route.method];

const named = allRoutes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

test('the document is OpenAPI 3.1 with the version of the release', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe((require('../../../package.json') as { version: string }).version);
});

test('the document lists every error code', () => {
  for (const { code } of errorTable()) expect(document.info.description).toContain(`\`${code}\``);
});

test('operation ids are unique and readable', () => {
  const ids = allRoutes.map(operationIdOf);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]{2,}$/);
});

test('no two routes answer the same method and address', () => {
  const addresses = allRoutes.map(({ method, path }) => `${method} ${path.replaceAll(/:[^/]+/g, ':')}`);
  expect(addresses.filter((address, at) => addresses.indexOf(address) !== at)).toEqual([]);
});

describe.each(named)('%s', (_name, route) => {
  test('is described', () => {
    expect(operationOf(route)?.operationId).toBe(operationIdOf(route));
  });

  test('ends with a slash, but for names that others chose, and describes each parameter of its path', () => {
    expect(route.path).toMatch(/^\/(\S*\/|\.well-known\/[\w.-]+)?$/);
    const inPath = [...route.path.matchAll(/:([^/]+)/g)].map(([, name = '']) => name);
    const described = operationOf(route)?.parameters?.filter((parameter) => parameter.in === 'path') ?? [];
    expect(described.map(({ name }) => name).toSorted()).toEqual(inPath.toSorted());
    expect(described.every(({ required }) => required)).toBe(true);
  });

  test('says who may call it', () => {
    expect(operationOf(route)?.security.length).toBe(route.spec.access === 'public' ? 0 : 2);
    const statuses = Object.keys(operationOf(route)?.responses ?? {});
    if (route.spec.access !== 'public') expect(statuses).toEqual(expect.arrayContaining(['401', '403']));
    // Browsers that sign in are sent on, whatever goes wrong.
    if (isNavigation(route.path)) expect(statuses).toEqual(['302']);
    else if (route.spec.throttle?.length !== 0) expect(statuses).toContain('429');
  });

  test('has schemas that compile and examples that fit them', () => {
    const { requestBody, responses = {} } = operationOf(route) ?? {};
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) => Object.values(body?.content ?? {}));
    for (const { schema, example, examples } of bodies) {
      const valid = validatorOf(schema);
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      for (const value of values) expect([value, valid(value) || valid.errors]).toEqual([value, true]);
    }
  });

  test('describes its success', () => {
    const { response, status = response ? 200 : 204 } = route.spec;
    const described = operationOf(route)?.responses[String(status)];
    expect(Boolean(described?.content)).toBe(Boolean(response));
  });
});
