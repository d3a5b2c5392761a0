/** People with passkeys. */
import { randomBytes } from 'node:crypto';
import { Client, type Reply } from '../../support/api.js';
import { Authenticator, type Deviation } from '../../support/authenticator.js';
import { aMember, type Person, type World } from '../../support/world.js';

/** An origin that the tests' configuration expects: the frontend. */
export const ORIGIN = 'http://localhost:3000';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
type Loose = any;

export interface Holder {
  person: Person;
  client: Client;
  authenticator: Authenticator;
  /** The id of the passkey's row. */
  passkeyId: string;
}

export async function register(
  client: Client,
  authenticator: Authenticator,
  { name, ...deviation }: Deviation & { name?: string } = {},
): Promise<Reply<Loose>> {
  const { body: options } = await client.post('/api/auth/passkeys/register/begin/');
  return client.post('/api/auth/passkeys/register/complete/', {
    credential: authenticator.create(options, deviation),
    ...(name === undefined ? {} : { name }),
  });
}

export const beginSignIn = async (client: Client): Promise<Loose> =>
  (await client.post('/api/auth/passkeys/authenticate/begin/')).body;

/** Signs in with a passkey, without naming an address. */
export async function signInWith(
  client: Client,
  authenticator: Authenticator,
  deviation: Deviation & { organization?: string } = {},
): Promise<Reply<Loose>> {
  const { organization, ...others } = deviation;
  return client.post('/api/auth/passkeys/authenticate/complete/', {
    credential: authenticator.get(await beginSignIn(client), others),
    ...(organization === undefined ? {} : { organization }),
  });
}

/** A member with a passkey and no other way to sign in. */
export async function aHolder(url: string, world: World, counter = 0): Promise<Holder> {
  const person = await aMember(world.organizationId, world.chapterId);
  const client = new Client(url, { token: person.token });
  const authenticator = new Authenticator(ORIGIN);
  authenticator.counter = counter;
  const { status, body } = await register(client, authenticator);
  if (status !== 201) throw new Error(`The registration answered ${status} ${JSON.stringify(body)}.`);
  return { person, client, authenticator, passkeyId: body.id };
}

export const someBytes = (count: number): string => randomBytes(count).toString('base64url');
