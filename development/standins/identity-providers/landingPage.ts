/** Replaces the web client at FRONTEND_URL: exchanges the code of a sign-in for a session. */
import { type Listening, listen } from '../kit/listen.js';
import { page } from '../kit/html.js';

/**
 * Starts the landing page at FRONTEND_URL.
 * @returns the running server; null when a web client already listens there, or when FRONTEND_URL is on another machine
 */
export async function startLandingPage(frontendUrl: string, platformUrl: string): Promise<Listening | null> {
  const { protocol, hostname, port } = new URL(frontendUrl);
  if (protocol !== 'http:' || !['localhost', '127.0.0.1'].includes(hostname)) return null;
  const answer = page('Placeholder for the web client', body(platformUrl));
  try {
    return await listen(Number(port || 80), '127.0.0.1', async () => answer, console.log);
  } catch {
    return null;
  }
}

/** The exchange needs the cookie of the browser that began the sign-in, hence `credentials`. */
const body = (platformUrl: string): string => `<p id="outcome">No sign-in is in progress.</p>
<form><button id="sign-out" type="button" hidden>Sign out</button></form>
<script>
const platform = ${JSON.stringify(platformUrl)};
const outcome = document.getElementById('outcome');
const post = async (path, body) => {
  const headers = body ? { 'Content-Type': 'application/json' } : {};
  const answer = await fetch(platform + path, { method: 'POST', credentials: 'include', headers, body: body && JSON.stringify(body) });
  return [answer.ok, await answer.json()];
};
const signOut = document.getElementById('sign-out');
signOut.onclick = async () => {
  const [, { redirect_to }] = await post('/api/auth/sso/saml/logout/');
  if (redirect_to) location = redirect_to;
  outcome.textContent = 'Signed out.';
  signOut.hidden = true;
};
(async () => {
  const query = new URLSearchParams(location.search);
  if (query.has('error')) outcome.textContent = 'The sign-in ended with: ' + query.get('error');
  if (!query.has('code')) return;
  const [ok, answer] = await post('/api/auth/sso/exchange/', { code: query.get('code') });
  outcome.textContent = ok
    ? 'Signed in as ' + answer.user.email + ' in ' + answer.organization.name + '.'
    : 'The code was refused: ' + answer.code;
  signOut.hidden = !ok;
})();
</script>`;
