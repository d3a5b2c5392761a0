/**
 * Page behind a referee's link: write a letter about an applicant, or decline. What is typed stays on this device until
 * it is sent.
 */
import { button, make, say, show } from './dom.js';
import { field } from './fields.js';
import { call, Refused, timeIn, tokenInPath, untilReached, upload } from './http.js';

const saving = document.querySelector('#saving');
const waits = () =>
  say(saving, 'There is no connection. What you type stays here, and is sent as soon as the connection is back.');
const path = `reference-letters/${encodeURIComponent(tokenInPath)}/`;
const outcome = make('p', { role: 'alert' });
/** Storage key on this device, removed with the letter. It contains no name. */
const kept = `letter:${tokenInPath}`;

async function reach(work) {
  const answer = await untilReached(work, waits);
  say(saving, '');
  return answer;
}

/** Stores what is typed. If the browser stores nothing, the text lasts as long as the page. */
function keep(text) {
  try {
    if (text === null) localStorage.removeItem(kept);
    else localStorage.setItem(kept, text);
  } catch {
    // The page also works without storage.
  }
}

function typedBefore() {
  try {
    return localStorage.getItem(kept) ?? '';
  } catch {
    return '';
  }
}

async function begin() {
  const asked = await reach(() => call('GET', path));
  if (asked.status === 'submitted') return thank();
  if (asked.status === 'declined') return regret();
  return write(asked);
}

function write({ organization, chapter, applicant, name, expires_at, is_file_refused }) {
  const letter = field({
    name: 'text',
    label: `What do you say about ${applicant}?`,
    kind: 'long',
    help: 'Up to 10,000 characters. It is kept on this device while you type.',
    isRequired: true,
  });
  const file = make('input', { type: 'file', id: 'file', accept: 'application/pdf' });
  letter.write(typedBefore());
  const form = make(
    'form',
    { novalidate: true },
    letter.element,
    make('p', {}, make('button', { type: 'submit', class: 'main' }, 'Send the letter')),
  );
  form.addEventListener('input', () => keep(letter.read()));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(letter);
  });
  show(
    `A letter about ${applicant}`,
    make(
      'p',
      {},
      `Dear ${name}, ${applicant} is applying to ${chapter} of ${organization} and has named you as a referee.`,
    ),
    is_file_refused &&
      make(
        'p',
        {},
        'The file that you sent was infected and has been removed. Send another file, or type the letter here.',
      ),
    make(
      'p',
      {},
      `${applicant} never sees what you write. You can send it until ${new Date(expires_at).toLocaleDateString('en', { dateStyle: 'long' })}.`,
    ),
    form,
    make(
      'div',
      { class: 'field' },
      make('label', { for: 'file' }, 'Or send it as a PDF'),
      file,
      button('Send the PDF', () => sendFile(file)),
    ),
    outcome,
    make(
      'details',
      {},
      make('summary', {}, 'I will not write a letter'),
      make('p', {}, 'We will not ask you again.'),
      make('p', {}, button('Decline', decline)),
    ),
  );
}

let isSending = false;

/** Runs one action at a time. @param done called once the action has succeeded */
async function attempt(work, done, refused = () => undefined) {
  if (isSending) return;
  isSending = true;
  say(outcome, '');
  try {
    await reach(work);
    keep(null);
    done();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refuse(error, refused);
  } finally {
    isSending = false;
  }
}

const send = (letter) =>
  attempt(
    () => call('POST', path, { text: letter.read() }),
    thank,
    ({ errors }) => {
      letter.mark(errors['text']?.[0] ?? null);
      if (errors['text']) letter.focus();
    },
  );

function sendFile({ files }) {
  if (files.length === 0) return say(outcome, 'Choose a file first.');
  return attempt(() => upload(`${path}file/`, files[0]), thank);
}

const decline = () => attempt(() => call('POST', `${path}decline/`), regret);

function refuse(error, refused) {
  if (error.status === 429)
    return say(
      outcome,
      `Too many letters came from your network. What you typed stays here; send it again at ${timeIn(error.seconds)}.`,
    );
  refused(error);
  if (error.status === 410) return gone(error);
  // Another link of the same letter may have been used.
  if (error.code === 'letter_closed') return location.reload();
  say(outcome, error.message);
}

const thank = () => show('Thank you', make('p', {}, 'Your letter was received. There is nothing more to do.'));
const regret = () => show('Thank you', make('p', {}, 'We have noted that you will not write a letter.'));

function gone(error) {
  if (!(error instanceof Refused)) throw error;
  if (error.status === 429)
    return show('A letter', make('p', {}, `Too many requests. Try again at ${timeIn(error.seconds)}.`));
  if (error.status === 410) return show('No longer needed', make('p', {}, error.message));
  show('Not found', make('p', {}, 'No letter is expected at this address.'));
}

begin().catch(gone);
