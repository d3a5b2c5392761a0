/** Page behind the link of a confirmation mail. Mail scanners follow links, so only the button changes something. */
import { button, make, say, show } from './dom.js';
import { call, Refused, statusAddress, timeIn, tokenInFragment, tokenInPath, untilReached } from './http.js';

const saving = document.querySelector('#saving');
const outcome = make('p', { role: 'alert' });
const application = tokenInFragment('application');
let isLost = false;

function waits() {
  isLost = true;
  say(saving, 'There is no connection. This page continues as soon as the connection is back.');
}

const whereItStands = () =>
  application && make('p', {}, make('a', { href: statusAddress(application) }, 'See the status of your application'));

async function confirm() {
  say(outcome, '');
  try {
    await untilReached(() => call('POST', 'verify-email/', { token: tokenInPath }), waits);
  } catch (error) {
    say(saving, '');
    if (!(error instanceof Refused)) throw error;
    if (!(await wasConfirmed(error))) return refuse(error);
  }
  say(saving, '');
  show('Confirmed', make('p', {}, 'Your application counts from now on.'), whereItStands());
}

/** The link works once: this page may have used it without getting the answer. */
async function wasConfirmed({ code }) {
  if (!isLost || !application || code !== 'application_link_invalid') return false;
  const asked = untilReached(() => call('GET', `applications/${application}/`), waits);
  const { is_confirmed } = await asked.catch(() => ({ is_confirmed: false }));
  return is_confirmed;
}

function refuse({ status, seconds, code, message }) {
  if (status === 429)
    return say(
      outcome,
      `Too many confirmations from your network. Press the button again at ${timeIn(seconds)}; the link stays valid until then.`,
    );
  say(outcome, message);
  if (code === 'application_link_invalid' && application) outcome.after(whereItStands());
}

show(
  'Confirm your application',
  make('p', {}, 'An application was sent with your address. Confirm that it is yours: it counts from then on.'),
  make('p', {}, button('Confirm the application', confirm, { class: 'main' })),
  outcome,
  make('p', {}, 'If you have not applied, close this page: nothing changes.'),
);
