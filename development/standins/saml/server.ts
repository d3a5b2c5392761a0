/** A local SAML identity provider: a sign-in page, signed answers, logout. Development only. */
import { listen } from '../kit/listen.js';
import { redirect } from '../kit/html.js';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { KeyPair } from '../../../gateways/saml/certificate.js';
import { IdentityProvider, UnanswerableMessage } from './IdentityProvider.js';
import { homePage, problemPage, responsePage, signedOutPage, signInPage } from './pages.js';
import { People } from './people.js';
import { samlProvider } from './provider.js';

export interface SamlStandin {
  url: string;
  metadata: string;
  close(): Promise<void>;
}

export interface SamlStandinOptions {
  /** 0 chooses a free port. */
  port: number;
  keyPair: KeyPair;
  platformUrl: string;
  /** Slug of the organization's configuration that `/configuration` and `/response` use. */
  slug: string;
  /** Address that is filled in on the sign-in page. */
  email: string;
  log?: (line: string) => void;
}

interface Standin extends SamlStandinOptions {
  identityProvider: IdentityProvider;
  metadata: string;
  people: People;
}

/** Starts the identity provider. Resolves when it listens. Sessions are kept in memory. */
export async function startSamlStandin(options: SamlStandinOptions): Promise<SamlStandin> {
  let ready: (standin: Standin) => void = () => {};
  const standin = new Promise<Standin>((resolve) => (ready = resolve));
  const serve = async (exchange: Exchange) => answer(await standin, exchange);
  const server = await listen(options.port, '127.0.0.1', serve, options.log ?? (() => {}));
  const url = `http://127.0.0.1:${server.port}`;
  const provider = samlProvider(url, options.keyPair);
  const identityProvider = new IdentityProvider(provider, options.platformUrl);
  ready({ ...options, identityProvider, metadata: provider.metadata, people: new People() });
  return { url, metadata: provider.metadata, close: server.close };
}

async function answer(standin: Standin, exchange: Exchange): Promise<Answer> {
  try {
    return await answerOf(standin, exchange);
  } catch (error) {
    if (error instanceof UnanswerableMessage) return problemPage(error.message);
    throw error;
  }
}

async function answerOf(standin: Standin, exchange: Exchange): Promise<Answer> {
  const { method, url } = exchange;
  const { people, metadata, slug, email } = standin;
  switch (`${method} ${url.pathname}`) {
    case 'GET /':
      return homePage(people.personOf(exchange));
    case 'GET /metadata':
      return { status: 200, body: metadata, headers: { 'Content-Type': 'application/samlmetadata+xml' } };
    case 'GET /configuration':
      return jsonAnswer(200, configurationFor(standin));
    case 'GET /response': {
      const { person } = new People().signIn(url.searchParams.get('email') ?? email);
      return jsonAnswer(200, { saml_response: await standin.identityProvider.respondUnsolicited(slug, person) });
    }
    case 'GET /sso':
    case 'POST /sso':
      return signIn(standin, exchange);
    case 'GET /slo':
      return handleLogoutMessage(standin, exchange);
    case 'POST /sign-out':
      return signOutOfStandin(standin, exchange);
    default:
      return jsonAnswer(404, { error: 'not_found' });
  }
}

/** Returns the body that an organization's admin sends to `…/saml-configurations/import/`. */
const configurationFor = ({ metadata, slug, email }: Standin) => ({
  name: 'SAML on this machine',
  slug,
  metadata,
  domains: [email.slice(email.indexOf('@') + 1)],
});

async function signIn({ identityProvider, people, email }: Standin, exchange: Exchange): Promise<Answer> {
  const request = await identityProvider.readSignIn(exchange.url);
  if (exchange.method === 'GET') {
    const person = people.personOf(exchange);
    if (!person || request.forceAuthn) return signInPage(person?.email ?? email, request.forceAuthn);
    return responsePage(await identityProvider.answerSignIn(request, person));
  }
  const typedEmail = (new URLSearchParams(await exchange.text()).get('email') ?? '').trim().toLowerCase();
  if (!typedEmail.includes('@')) return signInPage(typedEmail, request.forceAuthn);
  const { person, headers } = people.signIn(typedEmail);
  return responsePage(await identityProvider.answerSignIn(request, person), headers);
}

/**
 * Handles two messages of the platform: its logout request, or its response to a logout that began at this identity
 * provider.
 */
async function handleLogoutMessage({ identityProvider, people }: Standin, { url }: Exchange): Promise<Answer> {
  if (url.searchParams.has('SAMLResponse')) {
    await identityProvider.readSignedOut(url);
    return signedOutPage();
  }
  const { email, sessionIndex, location } = await identityProvider.answerSignOut(url);
  people.signOut(email, sessionIndex);
  return redirect(location);
}

async function signOutOfStandin({ identityProvider, people }: Standin, exchange: Exchange): Promise<Answer> {
  const person = people.personOf(exchange);
  if (!person) return signedOutPage();
  people.signOut(person.email, person.sessionIndex);
  const [entityId] = person.serviceProviders;
  return entityId === undefined ? signedOutPage() : redirect(await identityProvider.signOutUrl(entityId, person));
}
