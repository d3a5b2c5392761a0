/** Shows what the code in the address proves, from the public API. */

const [, , code] = location.pathname.split('/').map(decodeURIComponent);
const API = `/api/public/good-standing/?code=${encodeURIComponent(code)}`;
const status = document.querySelector('#saving');
const FIRST_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/** Creates an element from text and other elements. Text is never read as HTML. */
function make(name, ...children) {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @returns the proof in a list of one or none; else the seconds to wait, 0 if there was no answer */
async function ask() {
  let response;
  try {
    response = await fetch(API, { credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(20_000) });
    if (response.ok) return await response.json();
  } catch {
    return { wait: 0 };
  }
  if (response.status === 429) return { wait: Number(response.headers.get('Retry-After')) || 60 };
  return response.status >= 500 ? { wait: 0 } : [];
}

async function read() {
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    const answer = await ask();
    if (Array.isArray(answer)) return answer;
    status.textContent = answer.wait
      ? `Too many requests. This page continues in ${answer.wait} seconds.`
      : 'There is no connection. This page continues as soon as the connection is back.';
    await pause(answer.wait ? answer.wait * 1000 : wait);
  }
}

/** Formats a day independently of the local time zone. */
const formatDay = (day) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });

function show(title, ...children) {
  document.title = title;
  const heading = make('h1', title);
  heading.tabIndex = -1;
  document.querySelector('main').replaceChildren(heading, ...children);
  heading.focus();
}

const row = (term, text) => make('div', make('dt', term), make('dd', text));

function print() {
  const button = make('button', 'Print this page');
  button.type = 'button';
  button.addEventListener('click', () => window.print());
  return button;
}

const [proven] = await read();
status.textContent = '';
if (proven) {
  show(
    'Good standing',
    make('p', make('strong', proven.name), ` was in good standing on ${formatDay(proven.was_good_on)}.`),
    make(
      'dl',
      row('Name', proven.name),
      row('Chapter', proven.chapter_name),
      row('Organization', proven.organization_name),
      row('Was in good standing on', formatDay(proven.was_good_on)),
      row('Valid until', formatDay(proven.good_until)),
    ),
    make('p', 'This page says nothing about later days.'),
    print(),
  );
  document.querySelector('#own-address').hidden = false;
} else {
  show('Not found', make('p', 'This code is unknown, has expired, or was revoked.'));
}
