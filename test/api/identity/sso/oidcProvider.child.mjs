/** A certified OpenID provider in a process of its own. argv: its clients as JSON. Prints its issuer. */
import http from 'node:http';
import { Provider } from 'oidc-provider';

const server = http.createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const accounts = new Map();

const provider = new Provider(issuer, {
  clients: JSON.parse(process.argv[2]),
  pkce: { required: () => true },
  scopes: ['openid', 'email', 'profile'],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
  cookies: { keys: ['cookie-key-of-a-test'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, id) => ({ accountId: id, claims: () => accounts.get(id) }),
});
const answer = provider.callback();

/** The page that people would fill in: the test says who they are, or that they refuse. */
async function interact(request, response, query) {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (query.get('deny')) {
    const refusal = { error: 'access_denied', error_description: query.get('deny') };
    return provider.interactionFinished(request, response, refusal, { mergeWithLastSubmission: false });
  }
  if (prompt.name === 'login') {
    const account = JSON.parse(query.get('account'));
    accounts.set(account.sub, account);
    return provider.interactionFinished(request, response, { login: { accountId: account.sub } });
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  grant.addOIDCScope('openid email profile');
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

server.on('request', (request, response) => {
  const url = new URL(request.url, issuer);
  const work = url.pathname.startsWith('/interaction/')
    ? interact(request, response, url.searchParams)
    : answer(request, response);
  work.catch((error) => {
    response.statusCode = 500;
    response.end(String(error));
  });
});

process.stdout.write(`issuer ${issuer}\n`);
process.on('disconnect', () => process.exit());
