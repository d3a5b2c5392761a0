/** Files that an organization asks for: each is on its way as soon as it is chosen. */
import { make, say } from './dom.js';
import { call, pause, Refused, timeIn, Unreachable, untilReached, upload } from './http.js';

const NAMES = { resume: 'Résumé', headshot: 'Photo of you', transcript: 'Transcript', cover_letter: 'Cover letter' };
const PICTURES = 'image/jpeg,image/png,image/webp';
const ACCEPTED = (kind) => (kind === 'headshot' ? PICTURES : `.pdf,.docx,${PICTURES}`);
const HELP = (kind) =>
  kind === 'headshot'
    ? 'A picture of up to 5 MB. Where and with what it was taken is not kept.'
    : 'PDF, DOCX or a picture, up to 10 MB.';

/**
 * @param asked `{kind, is_required}` each
 * @param known which kinds are there (`attachments`), and what became of them (`checking`, `refused`)
 * @param whose says where they go: the path of a draft or an application
 * @returns their section; null where no file is asked for
 */
export function filesOf(asked, known, whose) {
  if (asked.length === 0) return null;
  const fields = asked.map((one) => fileOf(one, known, whose));
  const section = make('section', {}, make('h2', {}, 'Files'), ...fields);
  // Nothing of the form has changed by them.
  for (const event of ['input', 'change']) section.addEventListener(event, (chosen) => chosen.stopPropagation());
  return section;
}

/** What is known of a file of before. */
function newsOf(kind, { attachments, checking, refused }) {
  if (refused.includes(kind))
    return 'Refused: the file is infected with something harmful, and was removed. Send another.';
  if (checking.includes(kind)) return 'Received, and being checked. Another takes its place.';
  return attachments.includes(kind) ? 'Received. Another takes its place.' : '';
}

/** Seconds after which it is looked whether a file was checked. No more often: many may share an address. */
const LOOKS_AFTER = [1, 2, 4, 8, 16];

/** Says what became of a file, if that is known soon. @param isLast whether no other has been chosen since */
async function follow(kind, whose, news, isLast) {
  for (const seconds of LOOKS_AFTER) {
    await pause(seconds * 1000);
    const known = isLast() && (await look(whose));
    if (!isLast()) return;
    if (known && !known.checking.includes(kind)) return say(news, newsOf(kind, known));
  }
}

/** @returns null while nobody answers */
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
        () => say(news, 'There is no connection. The file is sent as soon as it is back: leave the page open.'),
      );
      say(news, `Received: ${name}${is_being_checked ? ', and being checked' : ''}. Another takes its place.`);
      if (is_being_checked) followed();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(news, `Not taken: ${error.status === 429 ? `come back at ${timeIn(error.seconds)}.` : textOf(error)}`);
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
