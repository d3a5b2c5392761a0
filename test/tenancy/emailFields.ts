/**
 * The fields that take e-mail addresses, found in the schemas of the routes, and the routes that must not reveal whether an address
 * has an account.
 */
import { z } from 'zod';
import type { Route } from '../../api/http/routes.js';
import { uuidv7 } from '../../models/database/uuid.js';
import type { Reply } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { aMember, aUser, type World } from '../support/world.js';

type Described = z.core.JSONSchema.BaseSchema;
export type FieldPath = string[];

/** A field with the name that an identity provider uses for something. */
const NAMES = 'attribute_mapping';

/** By its format, or by its name. */
const isEmail = (name: string, { format, type }: Described): boolean =>
  format === 'email' || (type === 'string' && /(^|_)e?mail(_address)?$/.test(name));

function within(schema: Described, definitions: Record<string, Described>, path: FieldPath): FieldPath[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  if (isEmail(path.at(-1) ?? '', schema)) return [path];
  const below = [...($ref ? [definitions[$ref.replace('#/$defs/', '')]] : []), ...[anyOf, oneOf, allOf].flat()].filter(
    (one) => typeof one === 'object',
  );
  const each = (Array.isArray(items) ? items : [items]).filter((one) => typeof one === 'object');
  return [
    ...below.flatMap((one) => within(one, definitions, path)),
    ...each.flatMap((one) => within(one, definitions, [...path, '0'])),
    ...Object.entries(path.at(-1) === NAMES ? {} : properties).flatMap(([name, one]) =>
      within(one as Described, definitions, [...path, name]),
    ),
  ];
}

function fieldsOf(schema: z.ZodType | undefined): FieldPath[] {
  if (!schema) return [];
  // Input is trimmed before it is validated: that it is an address shows in the output schema.
  const found = (['input', 'output'] as const).flatMap((io) => {
    const described = z.toJSONSchema(schema, { unrepresentable: 'any', io });
    return within(described, described.$defs ?? {}, []);
  });
  return [...new Map(found.map((path) => [path.join('.'), path])).values()];
}

/** Fields of the body and of the query. */
export const emailFields = ({ spec }: Route): FieldPath[] => [
  ...fieldsOf(spec.body).map((path) => ['body', ...path]),
  ...fieldsOf(spec.query).map((path) => ['query', ...path]),
];

/** The body with this address. */
export function withEmail(body: unknown, [, ...path]: FieldPath, email: string): unknown {
  const copy = structuredClone(body ?? {}) as Record<string, unknown>;
  const holder = path
    .slice(0, -1)
    .reduce((value, key, at) => (value[key] ??= path[at + 1] === '0' ? [] : {}) as Record<string, unknown>, copy);
  holder[path.at(-1) as string] = email;
  return copy;
}

/** Addresses that must not be revealed, by the kind of their account. */
export async function foreignAddresses(other: World): Promise<string[]> {
  const address = () => `address-${uuidv7()}@example.org`;
  const { userId, email } = await aMember(other.organizationId, other.chapterId);
  const [further, unverified, disabled, platform] = [address(), address(), address(), address()];
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true), ($1, $3, false)', [
    userId,
    further,
    unverified,
  ]);
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [await aUser(disabled)]);
  await aUser(platform, { platformAdmin: true });
  return [email, further, unverified, disabled, platform];
}

const ANY_ID = /[0-9a-f]{8}-[0-9a-f-]{27}|req_\w+/g;
const ANY_TIME = /\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g;
/** An answer without ids, times, versions and the given address. */
export const shapeOf = ({ status, body }: Reply<unknown>, email: string): string =>
  JSON.stringify({ status, body: body ?? null })
    .replaceAll(email, '<email>')
    // Before ids: a random token may contain what looks like one.
    .replaceAll(/"token":"[\w-]+"/g, '"token":"<token>"')
    .replaceAll(ANY_ID, '<id>')
    .replaceAll(ANY_TIME, '<time>')
    .replaceAll(/"version":\d+/g, '"version":0')
    .replaceAll(/\bs[0-9a-f]{32}\b/g, '<slug>');
