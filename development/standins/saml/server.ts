/** A SAML identity provider as this machine has it: a page to say who one is, signed answers, logout. Development only. */
import { listen } from '../kit/listen.js';
import { redirect } from '../kit/html.js';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { KeyPair } from '../../../gateways/saml/certificate.js';
import { IdentityProvider, NotAnswerable } from './IdentityProvider.js';
import { homePage, problemPage, responsePage, signedOutPage, signInPage } from './pages.js';
import { People } from './people.js';
import { samlProvider } from './provider.js';

export interface SamlStandin {
  url: string;
  metadata: string;
  close(): Promise<void>;
}

export interface SamlStandinOptions {
  /** 0 takes a free one. */
  port: number;
  keyPair: KeyPair;
  platformUrl: string;
  /** Of the configuration that `/configuration` and `/response` are for. */
  slug: string;
  /** The address that the sign-in page begins with. */
  email: string;
  log?: (line: string) => void;
}

interface Standin extends SamlStandinOptions {
  identityProvider: IdentityProvider;
  metadata: string;
  people: People;
}

/** Resolves once it listens. Who is signed in lives in memory. */
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
    if (error instanceof NotAnswerable) return problemPage(error.message);
    throw error;
  }
}

async function answerOf(standin: Standin, exchange: Exchange): Promise<Answer> {
  const { method, url } = exchange;
  const { people, metadata, slug, email } = standin;
  switch (`${method} ${url.pathname}`) {
    case 'GET /':
      return homePage(people.of(exchange));
    case 'GET /metadata':
      return { status: 200, body: metadata, headers: { 'Content-Type': 'application/samlmetadata+xml' } };
    case 'GET /configuration':
      return jsonAnswer(200, configurationFor(standin));
    case 'GET /response': {
      const { person } = new People().signIn(url.searchParams.get('email') ?? email);
      return jsonAnswer(200, { saml_response: await standin.identityProvider.respondUnasked(slug, person) });
    }
    case 'GET /sso':
    case 'POST /sso':
      return signIn(standin, exchange);
    case 'GET /slo':
      return signOutThere(standin, exchange);
    case 'POST /sign-out':
      return signOutHere(standin, exchange);
    default:
      return jsonAnswer(404, { error: 'not_found' });
  }
}

/** What an admin of the organization sends to `…/saml-configurations/import/`. */
const configurationFor = ({ metadata, slug, email }: Standin) => ({
  name: 'SAML on this machine',
  slug,
  metadata,
  domains: [email.slice(email.indexOf('@') + 1)],
});

async function signIn({ identityProvider, people, email }: Standin, exchange: Exchange): Promise<Answer> {
  const request = await identityProvider.readSignIn(exchange.url);
  if (exchange.method === 'GET') {
    const person = people.of(exchange);
    if (!person || request.forceAuthn) return signInPage(person?.email ?? email, request.forceAuthn);
    return responsePage(await identityProvider.answerSignIn(request, person));
  }
  const given = (new URLSearchParams(await exchange.text()).get('email') ?? '').trim().toLowerCase();
  if (!given.includes('@')) return signInPage(given, request.forceAuthn);
  const { person, headers } = people.signIn(given);
  return responsePage(await identityProvider.answerSignIn(request, person), headers);
}

/** The platform says that somebody signs out, or that they did because we said so. */
async function signOutThere({ identityProvider, people }: Standin, { url }: Exchange): Promise<Answer> {
  if (url.searchParams.has('SAMLResponse')) {
    await identityProvider.readSignedOut(url);
    return signedOutPage();
  }
  const { email, sessionIndex, location } = await identityProvider.answerSignOut(url);
  people.signOut(email, sessionIndex);
  return redirect(location);
}

async function signOutHere({ identityProvider, people }: Standin, exchange: Exchange): Promise<Answer> {
  const person = people.of(exchange);
  if (!person) return signedOutPage();
  people.signOut(person.email, person.sessionIndex);
  const [entityId] = person.serviceProviders;
  return entityId === undefined ? signedOutPage() : redirect(await identityProvider.askToSignOut(entityId, person));
}
