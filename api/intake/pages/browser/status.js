/** Status page of an application, on which the applicant can also withdraw it. */
import { button, make, say, show } from './dom.js';
import { field } from './fields.js';
import { filesOf } from './files.js';
import { call, HOME, Refused, timeIn, tokenInPath, untilReached } from './http.js';

const saving = document.querySelector('#saving');
const waits = () => say(saving, 'There is no connection. This page continues as soon as the connection is back.');
const path = `applications/${encodeURIComponent(tokenInPath)}/`;

async function reach(method, rest, body) {
  const answer = await untilReached(() => call(method, path + rest, body), waits);
  say(saving, '');
  return answer;
}

async function begin() {
  const status = await reach('GET', '');
  const { says, chapter, submitted_at, can_withdraw, is_confirmed, referees, letters_missing } = status;
  const asked = can_withdraw ? (await untilReached(() => call('GET', ''), waits)).attachments : [];
  const day = new Date(submitted_at).toLocaleDateString('en', { dateStyle: 'long' });
  show(
    'Your application',
    make('p', { id: 'says' }, says),
    make('p', {}, `Sent to ${chapter} on ${day}.`),
    filesOf(asked, status, () => path),
    is_confirmed && lettersOf(referees, letters_missing),
    can_withdraw && withdrawing(),
  );
}

const LETTERS = {
  requested: 'was asked for a letter, which has not arrived yet',
  submitted: 'has sent the letter',
  declined: 'will not write a letter',
  expired: 'has not written in time',
  cancelled: 'is no longer asked',
  undeliverable: 'cannot be reached at the address that you gave',
};

/** Lists the referees, and lets the applicant name another one while letters are missing. */
function lettersOf(referees, missing) {
  if (referees.length === 0 && missing === 0) return null;
  const waited = referees.filter(({ status }) => status === 'requested');
  const canName = missing > waited.length;
  return make(
    'section',
    { id: 'letters' },
    make('h2', {}, 'Letters about you'),
    make('ul', {}, ...referees.map(({ name, status }) => make('li', {}, `${name} ${LETTERS[status]}.`))),
    missing === 0 && make('p', {}, 'No letter is missing.'),
    (canName || waited.length > 0) && naming(waited, canName),
  );
}

function naming(waited, canName) {
  const fields = [
    { name: 'name', label: 'Name', kind: 'short' },
    { name: 'email', label: 'E-mail address', kind: 'email' },
    { name: 'relation', label: 'How they know you', kind: 'short' },
  ].map((one) => field({ ...one, isRequired: one.name !== 'relation', autocomplete: 'off' }));
  const instead = field({
    name: 'replaces',
    label: 'Instead of',
    kind: 'single',
    options: waited.map(({ id, name }) => [id, name]),
    isRequired: !canName,
  });
  const outcome = make('p', { role: 'alert' });
  const all = waited.length > 0 ? [...fields, instead] : fields;
  const form = make(
    'form',
    { novalidate: true },
    ...all.map(({ element }) => element),
    make('p', {}, make('button', { type: 'submit' }, 'Ask for a letter')),
    outcome,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void name(all, outcome);
  });
  return make('details', {}, make('summary', {}, 'Name another person'), form);
}

async function name(fields, outcome) {
  const typed = fields.map((one) => [one.name, one.read()]).filter(([, value]) => value !== null && value !== '');
  try {
    await reach('POST', 'referees/', Object.fromEntries(typed));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    for (const one of fields) one.mark(error.errors[one.name]?.[0] ?? null);
    fields.find((one) => error.errors[one.name])?.focus();
    return say(outcome, error.status === 429 ? `Try again at ${timeIn(error.seconds)}.` : error.message);
  }
  await begin().catch(gone);
}

function withdrawing() {
  const outcome = make('p', { role: 'alert' });
  const erase = make('input', { type: 'checkbox', id: 'erase' });
  return make(
    'details',
    {},
    make('summary', {}, 'Withdraw this application'),
    make('p', {}, 'A withdrawn application is no longer considered.'),
    make('label', { class: 'option' }, erase, make('span', {}, 'Also erase everything that I have typed')),
    make(
      'p',
      {},
      button('Withdraw', () => withdraw(erase.checked, outcome)),
    ),
    outcome,
  );
}

async function withdraw(erase, outcome) {
  try {
    await reach('POST', 'withdraw/', { erase });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // The answer to an earlier attempt may have been lost: an application that is not found is erased.
    if (!erase || error.status !== 404) return say(outcome, error.message);
  }
  if (erase) show('Erased', make('p', {}, 'Your application is withdrawn, and everything that you typed is erased.'));
  else await begin().catch(gone);
}

function gone(error) {
  if (!(error instanceof Refused)) throw error;
  if (error.status === 429)
    return show('Your application', make('p', {}, `Too many requests. Try again at ${timeIn(error.seconds)}.`));
  show(
    'Not found',
    make('p', {}, 'There is no application at this address: it may have been erased, or was never confirmed.'),
    make('p', {}, make('a', { href: HOME }, 'The form')),
  );
}

begin().catch(gone);
