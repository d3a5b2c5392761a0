/** How an application stands, for whoever has its address, and taking it back. */
import { button, make, say, show } from './dom.js';
import { filesOf } from './files.js';
import { call, HOME, Refused, timeIn, tokenInPath, untilReached } from './http.js';

const saving = document.querySelector('#saving');
const waits = () => say(saving, 'There is no connection. This page goes on as soon as it is back.');
const path = `applications/${encodeURIComponent(tokenInPath)}/`;

async function reach(method, rest, body) {
  const answer = await untilReached(() => call(method, path + rest, body), waits);
  say(saving, '');
  return answer;
}

async function begin() {
  const { says, chapter, submitted_at, can_withdraw, attachments } = await reach('GET', '');
  const asked = can_withdraw ? (await untilReached(() => call('GET', ''), waits)).attachments : [];
  const day = new Date(submitted_at).toLocaleDateString('en', { dateStyle: 'long' });
  show(
    'Your application',
    make('p', { id: 'says' }, says),
    make('p', {}, `Sent to ${chapter} on ${day}.`),
    filesOf(asked, attachments, () => path),
    can_withdraw && withdrawing(),
  );
}

function withdrawing() {
  const outcome = make('p', { role: 'alert' });
  const erase = make('input', { type: 'checkbox', id: 'erase' });
  return make(
    'details',
    {},
    make('summary', {}, 'Withdraw this application'),
    make('p', {}, 'Withdrawn, nobody looks at it any more.'),
    make(
      'label',
      { class: 'option' },
      erase,
      make('span', {}, 'Erase all that I have typed, too: nothing of it is kept'),
    ),
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
    // An answer may have been lost: what is not there any more is erased.
    if (!erase || error.status !== 404) return say(outcome, error.message);
  }
  if (erase) show('Erased', make('p', {}, 'Your application is withdrawn, and nothing that you have typed is kept.'));
  else await begin().catch(gone);
}

function gone(error) {
  if (!(error instanceof Refused)) throw error;
  if (error.status === 429)
    return show('Your application', make('p', {}, `Too many have asked. Come back at ${timeIn(error.seconds)}.`));
  show(
    'Nothing here',
    make('p', {}, 'There is no application at this address: it may have been erased, or was never confirmed.'),
    make('p', {}, make('a', { href: HOME }, 'The form')),
  );
}

begin().catch(gone);
