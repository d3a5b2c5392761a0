/** The pages on which donors see their gifts and receipts, and change their details. */
import type { FieldErrors } from '../../../models/errors.js';
import { escapeHtml, htmlPage, SENDS_ORIGIN } from '../../http/htmlPage.js';

/** The problem that a page shows above its form: a fault of the whole form, or faults of single fields. */
export interface Problem {
  message: string;
  fields?: FieldErrors;
}

export const homePath = (foundationId: string): string => `/giving/${foundationId}/`;

/** Renders a message above a form; it gets the keyboard focus. */
const problemNotice = (problem: Problem | undefined): string =>
  problem ? `<p class="problem" role="alert" tabindex="-1" autofocus>${escapeHtml(problem.message)}</p>\n` : '';

interface Input {
  name: string;
  label: string;
  type: 'text' | 'email';
  autocomplete: string;
  value: string;
  hint?: string;
}

/** Renders a labelled input with its hint and error. */
export function inputField({ name, label, type, autocomplete, value, hint }: Input, errors: FieldErrors = {}): string {
  const error = errors[name]?.[0];
  const describing = [...(hint ? [`${name}-hint`] : []), ...(error ? [`${name}-error`] : [])];
  const describedBy = describing.length === 0 ? '' : ` aria-describedby="${describing.join(' ')}"`;
  return `<div class="field"><label class="label" for="${name}">${label}</label>
${hint ? `<span class="hint" id="${name}-hint">${escapeHtml(hint)}</span>` : ''}
${error ? `<span class="error" id="${name}-error">Error: ${escapeHtml(error)}</span>` : ''}
<input type="${type}" autocomplete="${autocomplete}" id="${name}" name="${name}" required${describedBy}${error ? ' aria-invalid="true"' : ''} value="${escapeHtml(value)}"></div>`;
}

/** A form with one button and no fields. @param action path to which it is sent */
export const buttonForm = (action: string, label: string): string =>
  `<form method="post" action="${escapeHtml(action)}"><p><button type="submit">${escapeHtml(label)}</button></p></form>`;

type Foundation = { id: string; name: string };

/** The page on which a donor asks for a link by mail. */
export const signInPage = ({ id, name }: Foundation, typedEmail = '', problem?: Problem, status?: number) =>
  htmlPage(
    `${problem ? 'Error: ' : ''}Your gifts – ${name}`,
    `${problemNotice(problem)}<p>See your gifts to ${escapeHtml(name)} and your receipts, and change your name. You need no account:
we mail you a link.</p>
<form method="post" action="${homePath(id)}links/" novalidate>
${inputField(
  {
    name: 'email',
    label: 'E-mail address',
    type: 'email',
    autocomplete: 'email',
    value: typedEmail,
    hint: 'The address with which you gave.',
  },
  problem?.fields,
)}
<p><button type="submit">Mail me a link</button></p>
</form>`,
    { heading: 'Your gifts', headers: SENDS_ORIGIN, ...(status !== undefined && { status }) },
  );

/** The answer to a request for a link. It is the same for every address. */
export const linkSentPage = ({ id }: Pick<Foundation, 'id'>, email: string) =>
  htmlPage(
    'Check your mail',
    `<p>If gifts were made with ${escapeHtml(email)}, we mail a link to this address now. It works once, for 15 minutes.</p>
<p><a href="${homePath(id)}">Ask for another link</a></p>`,
    { status: 202 },
  );

/** The page of a mailed link. Opening it changes nothing; its button signs in. */
export const linkPage = ({ id, name }: Foundation, token: string) =>
  htmlPage(
    `Sign in – ${name}`,
    `<p>Open your own pages at ${escapeHtml(name)}, with your gifts and receipts. You stay signed in for two hours.</p>
${buttonForm(`${homePath(id)}links/${encodeURIComponent(token)}/`, 'Sign in')}`,
    { heading: 'Sign in to your gifts', headers: SENDS_ORIGIN },
  );

/**
 * A page that leads on to the donor's own pages. A redirect would be blocked in some browsers, because `form-action`
 * also applies to redirects that follow a sent form.
 */
export const leadHomePage = ({ id }: Pick<Foundation, 'id'>, message: string) => {
  const url = homePath(id);
  return htmlPage('Continue', `<p>${escapeHtml(message)} <a href="${url}">Continue</a></p>`, {
    leadsTo: { url, seconds: 0 },
  });
};

/** One page for unknown foundations, suspended organizations, and ids that are not the donor's. */
export const unknownPage = () =>
  htmlPage('Page not found', '<p>There is no page here. Check that the address is complete.</p>', { status: 404 });

/** A refusal that concerns no field. @param path to which the donor can return; null if there is none */
export const refusedPage = (message: string, path: string | null) =>
  htmlPage(
    'That did not work',
    `<p>${escapeHtml(message)}</p>${path === null ? '' : `\n<p><a href="${escapeHtml(path)}">Open your own pages</a></p>`}`,
  );
