/**
 * Compares descriptions of APIs with planted differences. `test/api/http/openapi.test.ts` compares the real one with the
 * last release.
 * @jest-environment node
 */
import { type ApiDescription, findBreaks, readApiFacts } from '../../development/releases/apiFacts.js';
import { findUnannounced, isHigherMajor, releasedVersions } from '../../development/releases/releases.js';

/** A forum as it could be described. */
const FORUM = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    place: { $ref: '#/components/schemas/Place' },
    notes: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
  },
};
const BODY = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    visibility: { type: 'string', enum: ['open', 'closed'] },
    place: { anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }] },
  },
  required: ['name'],
};
const PLACE = {
  type: 'object',
  properties: { city: { type: 'string' }, parent: { $ref: '#/components/schemas/Place' } },
};
const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** @param change is applied to a copy of a small description */
function described(change: (parts: Parts) => void = () => undefined): ApiDescription {
  const parts = structuredClone({
    forum: FORUM,
    body: BODY,
    place: PLACE,
    query: { in: 'query', name: 'discover', required: false, schema: { type: 'boolean' } },
  }) as Parts;
  change(parts);
  const { forum, body, place, query } = parts;
  const paths = {
    '/api/forums/': {
      get: { parameters: [query], responses: { 200: json(forum) } },
      post: { requestBody: { required: true, ...json(body) }, responses: { 201: json(forum) } },
    },
    '/api/forums/{id}/': { delete: { responses: { 204: {} } } },
  };
  return { paths: parts['paths']?.(paths) ?? paths, components: { schemas: { Place: place } } };
}
interface Parts {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests change any part of a description
  [part: string]: any;
}

const BODY_AT = 'POST /api/forums/ body (application/json)';
const breaksOf = (change: (parts: Parts) => void): string[] =>
  findBreaks(readApiFacts(described()), readApiFacts(described(change))).map((one) => one.change);

test.each<[what: string, change: (parts: Parts) => void, breaks: string[]]>([
  ['a removed path', (parts) => (parts['paths'] = withoutDelete), ['DELETE /api/forums/{id}/: went']],
  [
    'a removed field of an answer, with its parts',
    ({ forum }) => delete forum.properties.notes,
    [
      'GET /api/forums/ 200 answer (application/json).notes: went',
      'POST /api/forums/ 201 answer (application/json).notes: went',
    ],
  ],
  [
    'a removed field of a shared schema',
    ({ place }) => delete place.properties.city,
    [
      'GET /api/forums/ 200 answer (application/json).place.city: went',
      `${BODY_AT}.place.city: went`,
      'POST /api/forums/ 201 answer (application/json).place.city: went',
    ],
  ],
  [
    'an answer that may be null now',
    ({ forum }) => (forum.properties.id.type = ['string', 'null']),
    [
      'GET /api/forums/ 200 answer (application/json).id may be null: is new',
      'POST /api/forums/ 201 answer (application/json).id may be null: is new',
    ],
  ],
  [
    'a removed value of an input',
    ({ body }) => body.properties.visibility.enum.pop(),
    [`${BODY_AT}.visibility may be "closed": went`],
  ],
  [
    'an input that takes listed values only',
    ({ body }) => (body.properties.name.enum = ['Housing']),
    [`${BODY_AT}.name takes listed values only: is new`],
  ],
  [
    'a field that became required',
    ({ body }) => body.required.push('visibility'),
    [`${BODY_AT}.visibility is required: is new`],
  ],
  [
    'a new required field',
    ({ body }) => {
      body.properties.region = { type: 'string' };
      body.required.push('region');
    },
    [`${BODY_AT}.region is required: is new`],
  ],
  [
    'a field that became required in an alternative to null',
    ({ body, place }) => {
      body.properties.place.anyOf[0] = { ...place, required: ['city'] };
    },
    [`${BODY_AT}.place.city is required: is new`],
  ],
  [
    'a parameter that became required',
    ({ query }) => (query.required = true),
    ['GET /api/forums/ query.discover is required: is new'],
  ],
])('%s is a break', (_, change, breaks) => expect(breaksOf(change)).toEqual(breaks));

const withoutDelete = (paths: Record<string, object>) => ({ '/api/forums/': paths['/api/forums/'] });

test.each<[what: string, change: (parts: Parts) => void]>([
  ['an unchanged description', () => undefined],
  ['a new optional field', ({ body }) => (body.properties.region = { type: 'string' })],
  [
    'a new optional object with a required field',
    ({ body }) =>
      (body.properties.rules = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
  ],
  ['a new field of an answer', ({ forum }) => (forum.properties.name = { type: 'string' })],
  ['a new value of an input', ({ body }) => body.properties.visibility.enum.push('secret')],
  ['an input that takes any value', ({ body }) => delete body.properties.visibility.enum],
  ['an input that is no longer required', ({ body }) => body.required.pop()],
  [
    'a new operation with required inputs',
    (parts) =>
      (parts['paths'] = (paths: object) => ({
        ...paths,
        '/api/places/': { post: { requestBody: { required: true, ...json(BODY) }, responses: {} } },
      })),
  ],
])('%s is no break', (_, change) => expect(breaksOf(change)).toEqual([]));

test('a break is announced by a dated item of the list that names its operation, above the last release', () => {
  const breaks = [{ operation: 'GET /api/old/', change: 'GET /api/old/: went' }];
  const text = (notice: string, older = '') =>
    `## [Unreleased]\n\n### Removed\n\n${notice}\n\n## [1.2.0] - 2027-01-31\n\n${older}\n`;
  const notice = '- 2027-02-03: The list of old forums,\n  `GET /api/old/`, went.';
  expect(findUnannounced(breaks, text(notice), '1.2.0')).toEqual([]);
  for (const silent of [
    text('- The list of old forums, `GET /api/old/`, went.'),
    text('- 2027-02-03: `GET /api/older/` went.'),
    text('', notice),
  ])
    expect(findUnannounced(breaks, silent, '1.2.0')).toEqual(['GET /api/old/']);
});

test('released versions have a date, and the major version is the first number', () => {
  expect(releasedVersions('## [Unreleased]\n\n## [1.10.0] - 2027-01-31\n\n## [1.9.2] - 2026-12-24\n')).toEqual([
    '1.10.0',
    '1.9.2',
  ]);
  expect([isHigherMajor('10.0.0', '9.3.0'), isHigherMajor('1.4.0', '1.3.0')]).toEqual([true, false]);
});
