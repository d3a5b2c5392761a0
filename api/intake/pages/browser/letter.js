/** Behind a referee's link: a letter about somebody, or that they will not write one. What is typed stays on this device. */
import { button, make, say, show } from './dom.js';
import { field } from './fields.js';
import { call, Refused, timeIn, tokenInPath, untilReached, upload } from './http.js';

const saving = document.querySelector('#saving');
const waits = () => say(saving, 'There is no connection. What you type stays here, and is sent as soon as it is back.');
const path = `reference-letters/${encodeURIComponent(tokenInPath)}/`;
const outcome = make('p', { role: 'alert' });
/** On the device alone, and gone with the letter: no name of anybody stands in it. */
const kept = `letter:${tokenInPath}`;

async function reach(work) {
  const answer = await untilReached(work, waits);
  say(saving, '');
  return answer;
}

/** A browser may keep nothing: then what is typed stays as long as the page. */
function keep(text) {
  try {
    if (text === null) localStorage.removeItem(kept);
    else localStorage.setItem(kept, text);
  } catch {
    // Nothing depends on it.
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
    label: `What do you say of ${applicant}?`,
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
    make('p', {}, `Dear ${name}, ${applicant} applies to ${chapter} of ${organization}, and has named you.`),
    is_file_refused &&
      make(
        'p',
        {},
        'The file that you sent was infected with something harmful, and was removed. Send another, or type it here.',
      ),
    make(
      'p',
      {},
      `${applicant} never sees what you write. Until ${new Date(expires_at).toLocaleDateString('en', { dateStyle: 'long' })}.`,
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
      make('p', {}, 'We then ask you no more.'),
      make('p', {}, button('Decline', decline)),
    ),
  );
}

let isSending = false;

/** One thing at a time. @param done what to show once it is taken */
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

const thank = () => show('Thank you', make('p', {}, 'Your letter has come. There is nothing more to do.'));
const regret = () => show('Thank you', make('p', {}, 'We have noted that you will not write a letter.'));

function gone(error) {
  if (!(error instanceof Refused)) throw error;
  if (error.status === 429)
    return show('A letter', make('p', {}, `Too many have asked. Come back at ${timeIn(error.seconds)}.`));
  if (error.status === 410) return show('Not needed any more', make('p', {}, error.message));
  show('Nothing here', make('p', {}, 'Nobody waits for a letter at this address.'));
}

begin().catch(gone);
