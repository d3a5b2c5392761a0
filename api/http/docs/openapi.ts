/** The OpenAPI 3.1 document, generated from the schemas that validate. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { createDocument, type oas31 } from 'zod-openapi';
import { config } from '../../../config.js';
import { get, type Route } from '../routes.js';
import { exampleOf, type JsonSchema } from './examples.js';
import { operation, openApiPath } from './operations.js';
import { shareAnswers } from './shareAnswers.js';
import { TAGS } from './tags.js';

type Document = oas31.OpenAPIObject;

const ABOUT = `Dues, chapters and members of organizations.

Browsers sign in with cookies; native clients send \`Authorization: Bearer\`. Platform admins name the organization
they act for with \`X-Organization-Id\`. Times in answers are ISO 8601 in UTC with milliseconds (\`2026-09-01T12:00:00.000Z\`),
money is integer cents, ids are UUIDs. Unknown fields are refused. The trailing slash is optional.

Every answer that is not a success is \`{detail, code, errors?}\`: [all codes](/api/docs/errors/). A request whose headers are
longer than 16 KiB is answered with 431 \`headers_too_large\` at every address.
`;

/** Fields that the server sets, wherever they appear in a response. */
const READ_ONLY = new Set(['id', 'created_at', 'updated_at', 'version']);

/** Describes every route of the list. @throws Error when two different schemas share a name */
export function openApiDocument(list: Route[]): Document {
  const bodies = new Set<unknown>(list.map(({ spec }) => spec.body));
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const route of list) (paths[openApiPath(route.path)] ??= {})[route.method] = operation(route);
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Chapter Membership Platform',
        version: packageVersion(),
        description: ABOUT,
        contact: contact(),
      },
      externalDocs: { description: 'Every error code', url: `${config.backendUrl}/api/docs/errors/` },
      tags: [...TAGS],
      servers: [{ url: config.backendUrl }],
      paths,
      components: {
        securitySchemes: {
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: 'access_token',
            description: 'For browsers. Checked before the header.',
          },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'For native clients.' },
        },
      },
    },
    {
      override: ({ jsonSchema, zodSchema, io }) => {
        simplify(jsonSchema as JsonSchema);
        // Validation refuses unknown fields of a body, so the schema of a body does not allow them either.
        if (io === 'input' && bodies.has(zodSchema)) jsonSchema.additionalProperties = false;
        if (io === 'output') markReadOnly(jsonSchema as JsonSchema);
      },
    },
  );
  dropPatterns(document);
  addExamples(document);
  shareAnswers(document);
  return document;
}

const contact = () => ({
  name: 'Support of this deployment',
  url: config.frontendUrl,
  ...(config.CONTACT_EMAIL && { email: config.CONTACT_EMAIL }),
});

/** Removes keywords that only repeat the type or the format. */
function simplify(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * Removes patterns where a format or a number implies them: generators treat a pattern as a further rule, and not all
 * read it as JavaScript does.
 */
function dropPatterns(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  const schema = value as JsonSchema;
  if (typeof schema.format === 'string' || schema.type === 'integer') delete schema.pattern;
  for (const inner of Object.values(value)) dropPatterns(inner);
}

function markReadOnly({ properties = {} }: JsonSchema): void {
  for (const [name, property] of Object.entries(properties)) if (READ_ONLY.has(name)) property.readOnly = true;
}

/** Adds an example to each body without one. */
function addExamples(document: Document): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const operations = Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as oas31.OperationObject[],
  );
  for (const { requestBody, responses } of operations) {
    const bodies = [requestBody, ...Object.values(responses ?? {})] as { content?: oas31.ContentObject }[];
    for (const body of bodies) {
      for (const media of Object.values(body?.content ?? {})) {
        if (media.schema && !media.example && !media.examples) media.example = exampleOf(media.schema, schemas);
      }
    }
  }
}

/** The release, from the nearest package.json above: sources and compiled code lie at different depths. */
function packageVersion(): string {
  let folder = __dirname;
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return (JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

const Described = z.looseObject({ openapi: z.string().meta({ example: '3.1.0' }) });

/** Route of the document itself. @param list returns every route; called at first read */
export function schemaRoute(list: () => Route[]): Route {
  let document: Document | undefined;
  return get(
    '/api/schema/',
    {
      summary: 'The OpenAPI document',
      access: 'public',
      throttle: [],
      tags: ['system'],
      response: Described,
    },
    () => Promise.resolve((document ??= openApiDocument(list())) as unknown as z.input<typeof Described>),
  );
}
