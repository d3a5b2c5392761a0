/** A local OpenID provider: a sign-in page and the protocol's endpoints. Development only. */
import type { Provider } from 'oidc-provider';
import { listen } from '../kit/listen.js';
import { escapeHtml, page } from '../kit/html.js';
import type { Answer, Exchange } from '../kit/exchange.js';
import { type OidcClient, oidcProvider } from './provider.js';

export interface OidcStandin {
  /** Address of the provider. */
  issuer: string;
  close(): Promise<void>;
}

export interface OidcStandinOptions {
  /** 0 chooses a free port. */
  port: number;
  client: OidcClient;
  /** Address that is filled in on the sign-in page. */
  email: string;
  log?: (line: string) => void;
}

/** Starts the provider's server. Resolves when it listens. */
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
    `<p>You can sign in with any address.</p>
<form method="post">
<label>E-mail <input name="email" type="email" value="${escapeHtml(email)}" required autofocus></label>
<button name="decision" value="sign-in">Sign in</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</form>`,
  );

const WELCOME = `<p>A stand-in for an organization's OpenID provider. To sign in, start at the platform's <code>login_url</code>.</p>
<p>The provider remembers who is signed in: <a href="/session/end">sign out</a> to sign in as another person.</p>`;
