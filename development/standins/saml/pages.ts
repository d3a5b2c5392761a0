/** The stand-in's pages. */
import { escapeHtml, page } from '../kit/html.js';
import type { Answer } from '../kit/exchange.js';
import type { PostedResponse } from './IdentityProvider.js';
import type { SignedIn } from './people.js';

const TITLE = 'SAML identity provider (stand-in)';

/**
 * Returns the sign-in page. Its form has no `action`, so it is posted to the current address, which contains the SAML
 * request.
 */
export const signInPage = (email: string, forceAuthn: boolean): Answer =>
  page(
    TITLE,
    `<p>You can sign in with any address.${forceAuthn ? ' The platform requires a new sign-in.' : ''}</p>
<form method="post">
<label>E-mail <input name="email" type="email" value="${escapeHtml(email)}" required autofocus></label>
<button>Sign in</button>
</form>`,
  );

/** Returns a form that submits itself (SAML bindings, 3.5.4). */
export const responsePage = ({ acsUrl, response, relayState }: PostedResponse, headers = {}): Answer => {
  const answer = page(
    TITLE,
    `<form method="post" action="${escapeHtml(acsUrl)}">
<input type="hidden" name="SAMLResponse" value="${escapeHtml(response)}">
<input type="hidden" name="RelayState" value="${escapeHtml(relayState)}">
<button>Continue to the platform</button>
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
<form method="post" action="/sign-out"><button>Sign out here and at the platform</button></form>`
      : `<p>Not signed in. To sign in, start at the platform's <code>login_url</code>.</p>`,
  );

export const signedOutPage = (): Answer => page(TITLE, '<p>You are signed out.</p>');

export const problemPage = (problem: string): Answer => page(TITLE, `<p role="alert">${escapeHtml(problem)}</p>`, 400);
