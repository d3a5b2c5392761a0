/** An OpenID provider as this machine has it: a page to say who one is, and the endpoints of the protocol. Development only. */
import type { Provider } from 'oidc-provider';
import { listen } from '../kit/listen.js';
import { escapeHtml, page } from '../kit/html.js';
import type { Answer, Exchange } from '../kit/exchange.js';
import { type OidcClient, oidcProvider } from './provider.js';

export interface OidcStandin {
  /** Its address. */
  issuer: string;
  close(): Promise<void>;
}

export interface OidcStandinOptions {
  /** 0 takes a free one. */
  port: number;
  client: OidcClient;
  /** The address that the sign-in page begins with. */
  email: string;
  log?: (line: string) => void;
}

/** Resolves once it listens. */
export async function startOidcStandin({
  port,
  client,
  email,
  log = () => {},
}: OidcStandinOptions): Promise<OidcStandin> {
  let ready: (provider: Provider) => void = () => {};
  const provider = new Promise<Provider>((resolve) => (ready = resolve));
  const server = await listen(port, '127.0.0.1', async (exchange) => answer(await provider, exchange, email), log);
  const issuer = `http://127.0.0.1:${server.port}`;
  ready(oidcProvider(issuer, client));
  return { issuer, close: server.close };
}

async function answer(provider: Provider, exchange: Exchange, email: string): Promise<Answer | undefined> {
  const { method, url, request, response } = exchange;
  if (url.pathname === '/') return page('OpenID provider (stand-in)', WELCOME);
  if (!url.pathname.startsWith('/interaction/')) {
    await provider.callback()(request, response);
    return undefined;
  }
  if (method !== 'POST') return signInPage(email);
  const form = new URLSearchParams(await exchange.text());
  const accountId = (form.get('email') ?? '').trim().toLowerCase();
  const refusal = { error: 'access_denied', error_description: 'The person cancelled.' };
  const result = form.get('decision') === 'cancel' ? refusal : { login: { accountId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  return undefined;
}

const signInPage = (email: string): Answer =>
  page(
    'OpenID provider (stand-in)',
    `<p>Whatever address you type counts as yours.</p>
<form method="post">
<label>E-mail <input name="email" type="email" value="${escapeHtml(email)}" required autofocus></label>
<button name="decision" value="sign-in">Sign in</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</form>`,
  );

const WELCOME = `<p>A stand-in for an organization's OpenID provider. Begin at the platform's <code>login_url</code> to come here.</p>
<p>It remembers who signed in: <a href="/session/end">sign out</a> to be somebody else the next time.</p>`;
