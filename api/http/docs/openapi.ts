/** The OpenAPI 3.1 document, from the very schemas that validate. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { createDocument, type oas31 } from 'zod-openapi';
import { config } from '../../../config.js';
import { get, type Route } from '../routes.js';
import { errorTableMarkdown } from './errors.js';
import { exampleOf, type JsonSchema } from './examples.js';
import { operation, openApiPath } from './operations.js';

type Document = oas31.OpenAPIObject;

const ABOUT = `Dues, chapters and members of organizations.

Browsers sign in with cookies; native clients send \`Authorization: Bearer\`. Platform admins name the organization
they act for with \`X-Organization-Id\`. Times are ISO 8601 in UTC, money is integer cents, ids are UUIDs. Fields that
an address does not know are refused. A trailing slash may be left off.

## Errors

Every answer that is not a success is \`{detail, code, errors?}\`.

`;

/** Fields that the server sets, wherever they appear in an answer. */
const READ_ONLY = new Set(['id', 'created_at', 'updated_at', 'version']);

/** Describes every route of the list. @throws Error when two different schemas share a name */
function openApiDocument(list: Route[]): Document {
  const bodies = new Set<unknown>(list.map(({ spec }) => spec.body));
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const route of list) (paths[openApiPath(route.path)] ??= {})[route.method] = operation(route);
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Chapter Membership Platform',
        version: packageVersion(),
        description: ABOUT + errorTableMarkdown(),
      },
      servers: [{ url: config.backendUrl }],
      paths,
      components: {
        securitySchemes: {
          cookie: { type: 'apiKey', in: 'cookie', name: 'access_token', description: 'Browsers. Looked at first.' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Native clients.' },
        },
      },
    },
    {
      override: ({ jsonSchema, zodSchema, io }) => {
        simplify(jsonSchema as JsonSchema);
        // Validation refuses unknown fields of a body, so its description does too.
        if (io === 'input' && bodies.has(zodSchema)) jsonSchema.additionalProperties = false;
        if (io === 'output') markReadOnly(jsonSchema as JsonSchema);
      },
    },
  );
  addExamples(document);
  return document;
}

/** Leaves out what only repeats the type or the format. */
function simplify(schema: JsonSchema): void {
  if (schema.format === 'uuid' || schema.type === 'integer') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function markReadOnly({ properties = {} }: JsonSchema): void {
  for (const [name, property] of Object.entries(properties)) if (READ_ONLY.has(name)) property.readOnly = true;
}

/** Gives each JSON body of an operation an example, where its author gave none. */
function addExamples(document: Document): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  const operations = Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as oas31.OperationObject[],
  );
  for (const { requestBody, responses } of operations) {
    const bodies = [requestBody, ...Object.values(responses ?? {})] as { content?: oas31.ContentObject }[];
    for (const body of bodies) {
      const media = body?.content?.['application/json'];
      if (media?.schema && !media.example && !media.examples) media.example = exampleOf(media.schema, schemas);
    }
  }
}

/** The release, from the nearest package.json above: the sources and the compiled code lie at different depths. */
function packageVersion(): string {
  let folder = __dirname;
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder);
  return (JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

const Described = z.looseObject({ openapi: z.string().meta({ example: '3.1.0' }) });

/** The address of the document itself. @param list every route; asked for when first read */
export function schemaRoute(list: () => Route[]): Route {
  let document: Document | undefined;
  return get(
    '/api/schema/',
    {
      summary: 'This description',
      access: 'public',
      throttle: [],
      tags: ['system'],
      response: Described,
    },
    () => Promise.resolve((document ??= openApiDocument(list())) as unknown as z.input<typeof Described>),
  );
}
