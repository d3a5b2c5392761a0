/** An organization with a SAML connection, and browsers that sign in by it. */
import { createHash, randomBytes } from 'node:crypto';
import * as samlify from 'samlify';
import { Client } from './api.js';
import {
  type AuthnRequestFields,
  aSamlProvider,
  EMAIL_OID,
  responseXml,
  type ResponseFields,
  type SamlProvider,
  responseFieldsFor,
} from './samlProvider.js';
import { aWorld, type World } from './world.js';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers freely
type Loose = any;

export interface SamlWorld extends World {
  url: string;
  slug: string;
  configuration: Loose;
  provider: SamlProvider;
  /** Our service provider, as samlify reads its metadata. */
  serviceProvider: ReturnType<typeof samlify.ServiceProvider>;
}

let counter = 0;

export async function aSamlWorld(url: string, fields: Record<string, unknown> = {}): Promise<SamlWorld> {
  const world = await aWorld();
  const provider = await aSamlProvider();
  const slug = `saml-${process.pid}-${Date.now().toString(36)}-${(counter += 1)}`;
  const { body, status } = await new Client(url, { token: world.admin.token }).post(
    `/api/organizations/${world.organizationId}/saml-configurations/import/`,
    { metadata: provider.metadata, name: 'Alpha University', slug, domains: [`${slug}.edu`], ...fields },
  );
  if (status !== 201) throw new Error(`The configuration was refused: ${JSON.stringify(body)}`);
  const metadata = await (await fetch(`${url}/api/auth/sso/saml/${slug}/metadata/`)).text();
  const serviceProvider = samlify.ServiceProvider({
    metadata,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
  });
  return { ...world, url, slug, configuration: body, provider, serviceProvider };
}

export interface SignIn extends AuthnRequestFields {
  browser: Client;
  relayState: string;
  forceAuthn: boolean;
  requestInfo: Loose;
  verifier: string;
}

/** Opens our login address, and has the provider read and verify our request. */
export async function beginSignIn(
  { url, slug, provider, serviceProvider, configuration }: SamlWorld,
  { native = false, reauthenticate = false } = {},
): Promise<SignIn> {
  const browser = new Client(url);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = `${native ? `platform=native&code_challenge=${challenge}` : 'platform=web'}&reauthenticate=${reauthenticate}`;
  const { status, headers, body } = await browser.get(`/api/auth/sso/saml/${slug}/login/?${query}`);
  if (status !== 302) throw new Error(`The login answered ${status}: ${JSON.stringify(body)}`);
  const location = new URL(headers.get('location') ?? '');
  const requestInfo = await provider.identityProvider.parseLoginRequest(serviceProvider, 'redirect', {
    query: Object.fromEntries(location.searchParams),
    octetString: location.search.slice(1).split('&Signature=')[0] as string,
  });
  return {
    browser,
    verifier,
    requestInfo,
    requestId: (requestInfo.extract as Loose).request.id as string,
    forceAuthn: requestInfo.samlContent.includes('ForceAuthn="true"'),
    relayState: location.searchParams.get('RelayState') ?? '',
    acsUrl: configuration.acs_url as string,
    spEntityId: configuration.sp_entity_id as string,
  };
}

/** A response with samlify's signature. @returns Base64 */
export async function signedResponse(
  { provider, serviceProvider }: SamlWorld,
  asked: SignIn,
  said: Partial<ResponseFields>,
): Promise<string> {
  const xml = responseXml(responseFieldsFor(provider, asked, said));
  const { context } = await provider.identityProvider.createLoginResponse(
    serviceProvider,
    asked.requestInfo,
    'post',
    {},
    { customTagReplacement: () => ({ id: 'given', context: xml }) },
  );
  return context;
}

/** Posts like a browser from the provider's page: another origin, no cookies of ours. */
export async function postForm(url: string, path: string, fields: Record<string, string>) {
  const answer = await fetch(url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: 'https://idp.example.org',
      'Sec-Fetch-Site': 'cross-site',
    },
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', body: await answer.text() };
}

export const postResponse = (world: SamlWorld, response: string, relayState: string, url = world.url) =>
  postForm(url, `/api/auth/sso/saml/${world.slug}/acs/`, { SAMLResponse: response, RelayState: relayState });

/** The whole sign-in, for a person with this address. @returns the signed-in browser */
export async function signInBySaml(
  world: SamlWorld,
  email: string,
  said: Partial<ResponseFields> = {},
): Promise<Client> {
  const asked = await beginSignIn(world);
  const response = await signedResponse(world, asked, { nameId: email, attributes: { [EMAIL_OID]: email }, ...said });
  const { location } = await postResponse(world, response, asked.relayState);
  const code = new URL(location).searchParams.get('code');
  const { status } = await asked.browser.post('/api/auth/sso/exchange/', { code });
  if (status !== 200) throw new Error(`The sign-in ended at ${location}, its exchange with ${status}`);
  return asked.browser;
}
