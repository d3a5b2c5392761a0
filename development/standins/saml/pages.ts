/** What people see of the stand-in. */
import { escapeHtml, page } from '../kit/html.js';
import type { Answer } from '../kit/exchange.js';
import type { PostedResponse } from './IdentityProvider.js';
import type { SignedIn } from './people.js';

const TITLE = 'SAML identity provider (stand-in)';

/** Its form is posted to where it was asked for, with the request in the address. */
export const signInPage = (email: string, forceAuthn: boolean): Answer =>
  page(
    TITLE,
    `<p>Whatever address you type counts as yours.${forceAuthn ? ' The platform asks for a fresh sign-in.' : ''}</p>
<form method="post">
<label>E-mail <input name="email" type="email" value="${escapeHtml(email)}" required autofocus></label>
<button>Sign in</button>
</form>`,
  );

/** Sends itself (SAML bindings, 3.5.4). */
export const responsePage = ({ acsUrl, response, relayState }: PostedResponse, headers = {}): Answer => {
  const answer = page(
    TITLE,
    `<form method="post" action="${escapeHtml(acsUrl)}">
<input type="hidden" name="SAMLResponse" value="${escapeHtml(response)}">
<input type="hidden" name="RelayState" value="${escapeHtml(relayState)}">
<button>Go on to the platform</button>
</form>
<script>document.forms[0].submit()</script>`,
  );
  return { ...answer, headers: { ...answer.headers, ...headers } };
};

export const homePage = (person: SignedIn | undefined): Answer =>
  page(
    TITLE,
    person
      ? `<p>Signed in as ${escapeHtml(person.email)}, since ${new Date(person.authenticatedAt).toISOString()}.</p>
<form method="post" action="/sign-out"><button>Sign out, here and at the platform</button></form>`
      : `<p>Nobody is signed in. Begin at the platform's <code>login_url</code> to come here.</p>`,
  );

export const signedOutPage = (): Answer => page(TITLE, '<p>You are signed out.</p>');

export const problemPage = (problem: string): Answer => page(TITLE, `<p role="alert">${escapeHtml(problem)}</p>`, 400);
