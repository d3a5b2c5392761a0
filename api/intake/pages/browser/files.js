/** Files that an organization asks for. Each is uploaded as soon as it is chosen. */
import { make, say } from './dom.js';
import { call, pause, Refused, timeIn, Unreachable, untilReached, upload } from './http.js';

const NAMES = { resume: 'Résumé', headshot: 'Photo of you', transcript: 'Transcript', cover_letter: 'Cover letter' };
const PICTURES = 'image/jpeg,image/png,image/webp';
const ACCEPTED = (kind) => (kind === 'headshot' ? PICTURES : `.pdf,.docx,${PICTURES}`);
const HELP = (kind) =>
  kind === 'headshot'
    ? 'A picture of up to 5 MB. Location and camera data are removed.'
    : 'PDF, DOCX or a picture, up to 10 MB.';

/**
 * @param asked `{kind, is_required}` each
 * @param known kinds of the existing files (`attachments`) and the results of their checks (`checking`, `refused`)
 * @param whose returns the path of the draft or application
 * @returns the section of the files; null if no file is asked for
 */
export function filesOf(asked, known, whose) {
  if (asked.length === 0) return null;
  const fields = asked.map((one) => fileOf(one, known, whose));
  const section = make('section', {}, make('h2', {}, 'Files'), ...fields);
  // A chosen file is not a change of the form.
  for (const event of ['input', 'change']) section.addEventListener(event, (chosen) => chosen.stopPropagation());
  return section;
}

/** Returns the status text of an existing file. */
function newsOf(kind, { attachments, checking, refused }) {
  if (refused.includes(kind)) return 'Refused: the file was infected and has been removed. Send another file.';
  if (checking.includes(kind)) return 'Received and being checked. A new file replaces it.';
  return attachments.includes(kind) ? 'Received. A new file replaces it.' : '';
}

/**
 * Seconds before each look at whether a file was checked. It does not look more often, because many people may share an
 * IP address.
 */
const CHECK_DELAYS_SECONDS = [1, 2, 4, 8, 16];

/** Shows the result of a file's check if it is known soon. @param isLast whether no other file has been chosen since */
async function follow(kind, whose, news, isLast) {
  for (const seconds of CHECK_DELAYS_SECONDS) {
    await pause(seconds * 1000);
    const known = isLast() && (await look(whose));
    if (!isLast()) return;
    if (known && !known.checking.includes(kind)) return say(news, newsOf(kind, known));
  }
}

/** @returns null if the server does not answer */
async function look(whose) {
  try {
    return await call('GET', await whose());
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Refused) return null;
    throw error;
  }
}

function fileOf({ kind, is_required }, known, whose) {
  const id = `file-${kind}`;
  const input = make('input', {
    type: 'file',
    id,
    accept: ACCEPTED(kind),
    'aria-describedby': `${id}-help ${id}-news`,
  });
  const news = make('p', { id: `${id}-news`, role: 'status' }, newsOf(kind, known));
  let sent = 0;
  const followed = () => {
    const mine = sent;
    void follow(kind, whose, news, () => sent === mine);
  };
  const send = async () => {
    const [file] = input.files;
    if (!file) return;
    sent += 1;
    say(news, 'Sending …');
    try {
      const path = await whose();
      const { name, is_being_checked } = await untilReached(
        () => upload(`${path}attachments/?kind=${kind}`, file),
        () =>
          say(news, 'There is no connection. The file is sent as soon as the connection is back: leave the page open.'),
      );
      say(news, `Received: ${name}${is_being_checked ? ', being checked' : ''}. A new file replaces it.`);
      if (is_being_checked) followed();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(news, `Not accepted: ${error.status === 429 ? `try again at ${timeIn(error.seconds)}.` : textOf(error)}`);
    }
  };
  input.addEventListener('change', () => void send());
  if (known.checking.includes(kind)) followed();
  return make(
    'div',
    { class: 'field' },
    make('label', { for: id }, is_required ? NAMES[kind] : `${NAMES[kind]} (optional)`),
    make('p', { id: `${id}-help`, class: 'help' }, HELP(kind)),
    input,
    news,
  );
}

const textOf = ({ errors, message }) => errors['file']?.[0] ?? message;
