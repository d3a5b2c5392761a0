/** The application form of an organization: saved while the applicant types, sent once it is complete. */
import { button, make, paragraphs, say, show } from './dom.js';
import { Draft } from './draft.js';
import { filesOf } from './files.js';
import { call, Refused, statusAddress, timeIn, tokenInFragment, untilReached } from './http.js';
import { marking, summary } from './problems.js';
import { questionsOf } from './questions.js';

const NO_CONNECTION =
  'There is no connection. What you type stays on this page, and is saved as soon as the connection is back: leave the page open.';
const SAVED = 'Saved. You can continue later with the address of this page.';

const saving = document.querySelector('#saving');
const news = make('p', { role: 'status', id: 'news' });
const waits = () => say(saving, NO_CONNECTION);
const reach = (method, path, body) => untilReached(() => call(method, path, body), waits);

let questions;
let draft;
const mark = (problems) => marking(questions.all, problems);

/** Reads the draft behind a link. @returns null without a link, or if the draft has expired */
async function readDraft(token) {
  try {
    return token ? await reach('GET', `drafts/${token}/`) : null;
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
    say(news, 'The draft behind this link no longer exists: drafts are kept for 30 days. You can start again.');
    return null;
  }
}

async function begin() {
  const token = tokenInFragment('draft');
  const [form, before] = [await reach('GET', ''), await readDraft(token)];
  if (before?.is_sent) return location.replace(statusAddress(token));
  if (!form.is_open) return showClosed(form);
  const [chapters, asked, consents] = await Promise.all(
    ['chapters/', 'questions/', 'consents/'].map((part) => reach('GET', part)),
  );
  questions = questionsOf(form, { chapters, questions: asked, consents });
  if (before) questions.write(before.contents);
  draft = new Draft(handlers, before ? token : undefined);
  if (before) draft.adopt(before.version);
  showForm(form, before ?? { attachments: [], checking: [], refused: [] });
  say(saving, before ? SAVED : '');
}

function showClosed({ organization, opens_at, closed_message }) {
  const opens = new Date(opens_at);
  show(
    `Apply to ${organization.name}`,
    ...(opens > new Date() ? [make('p', {}, `Applications open on ${opens.toLocaleString('en')}.`)] : []),
    ...paragraphs(closed_message ?? 'Applications are not accepted at the moment.'),
  );
}

const handlers = {
  read: () => questions.read(),
  kept: () => {
    saving.classList.remove('waiting');
    say(saving, SAVED);
  },
  waits,
  throttled: (seconds) =>
    say(saving, `Your network has saved too often. What you type stays here and is saved at ${timeIn(seconds)}.`),
  refused: (error) => {
    say(saving, `Not saved: ${error.message}`);
    // Errors name the problems of a draft by their path in it.
    mark(Object.entries(error.errors).map(([name, texts]) => [name.replace(/^contents\./, ''), texts[0]]));
  },
  moved: (token) => history.replaceState(null, '', `#draft=${token}`),
  conflict: (theirs) =>
    new Promise((resolve) => {
      say(saving, 'Not saved: there are two versions.');
      const choose = (isOurs) => () => {
        if (!isOurs) questions.write(theirs);
        news.replaceChildren();
        resolve(isOurs);
      };
      news.replaceChildren(
        'This application was changed in another window. ',
        button('Keep what is typed here', choose(true)),
        ' ',
        button('Show what was typed there', choose(false)),
      );
    }),
};

let isSending = false;

async function send() {
  if (isSending) return;
  isSending = true;
  say(news, 'Sending …');
  try {
    mark([]);
    const unreadable = questions.all.flatMap((one) => (one.problem() === null ? [] : [[one.name, one.problem()]]));
    if (unreadable.length > 0) return refuse(unreadable);
    const token = await untilReached(() => draft.whole(), waits);
    showSent(await reach('POST', `drafts/${token}/submit/`), token);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refuseAs(error);
  } finally {
    isSending = false;
  }
}

function refuse(problems) {
  say(news, '');
  mark(problems)[0]?.focus();
}

function refuseAs({ status, seconds, errors, message }) {
  if (status === 429)
    say(
      news,
      `Not sent yet: too many applications were sent at once. What you typed is saved; send it again at ${timeIn(seconds)}.`,
    );
  else if (Object.keys(errors).length > 0)
    refuse(Object.entries(errors).map(([name, texts]) => [name.replace(/^contents\./, ''), texts[0]]));
  else say(news, `Not sent: ${message}`);
}

function showSent({ says, confirmation }, token) {
  say(saving, '');
  show(
    'Sent',
    make('p', {}, says),
    ...paragraphs(confirmation),
    make('p', {}, make('a', { href: statusAddress(token) }, 'See the status of your application')),
    make('p', {}, 'Keep that address: anyone who has it can see the status and withdraw the application.'),
  );
}

async function sendLink() {
  try {
    const token = await untilReached(() => draft.whole(), waits);
    await reach('POST', `drafts/${token}/send-link/`);
    say(news, `A link to continue later was sent to ${questions.read().email}.`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 429)
      say(news, `Too many links were mailed from your network. Try again at ${timeIn(error.seconds)}.`);
    else if (error.errors['email']) refuse([['email', error.errors['email'][0]]]);
    else say(news, error.message);
  }
}

const section = (title, fields) =>
  fields.length > 0 && make('section', {}, make('h2', {}, title), ...fields.map(({ element }) => element));

function showForm({ organization, introduction, attachments }, known) {
  const needed = questions.standard.filter(({ isRequired }) => isRequired);
  const others = questions.standard.filter(({ isRequired }) => !isRequired);
  const more = make(
    'details',
    {},
    make('summary', {}, 'More about you (optional)'),
    ...others.map(({ element }) => element),
  );
  more.open = others.some((one) => ![null, ''].includes(one.read()));
  const form = make(
    'form',
    { novalidate: true },
    summary,
    section('You', [...questions.person, ...needed]),
    section('Questions', questions.answers),
    others.length > 0 && more,
    filesOf(attachments, known, async () => `drafts/${await untilReached(() => draft.whole(), waits)}/`),
    section('Your referees', questions.referees),
    section('What you agree to', questions.consents),
    make('p', {}, make('button', { type: 'submit', class: 'main' }, 'Send the application')),
    make('p', {}, button('Mail me a link to continue later', sendLink)),
    news,
  );
  for (const event of ['input', 'change'])
    form.addEventListener(event, () => {
      // Marks unsaved changes visually, so that screen readers do not announce every letter.
      saving.classList.add('waiting');
      draft.changed();
    });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  show(`Apply to ${organization.name}`, ...paragraphs(introduction), form);
}

addEventListener('beforeunload', (event) => {
  if (draft?.isUnsaved && document.querySelector('form')) event.preventDefault();
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden && draft?.token) void draft.keep().catch(() => undefined);
});
// Reloads when the link of another draft is opened in this window.
addEventListener('hashchange', () => location.reload());

begin().catch((error) => {
  if (!(error instanceof Refused)) throw error;
  show(
    'No form here',
    make(
      'p',
      {},
      error.status === 429
        ? `Too many requests. Try again at ${timeIn(error.seconds)}.`
        : 'There is no application form at this address.',
    ),
  );
});
