/** Shows the problems of a form beside its fields and in a summary above it. */
import { make } from './dom.js';
import { HOME } from './http.js';

export const summary = make('div', { role: 'alert', id: 'summary', hidden: true });

/**
 * Marks each field with its problem and lists all problems in the summary.
 * @param problems pairs of a field's name and a text
 * @returns the fields with problems, in their order
 */
export function marking(fields, problems) {
  const byName = new Map(problems);
  const wrong = fields.filter(({ name }) => byName.has(name));
  for (const one of fields) one.mark(byName.get(one.name) ?? null);
  const known = new Set(wrong.map(({ name }) => name));
  const lines = [
    ...wrong.map((one) => make('li', {}, linkTo(one), `: ${byName.get(one.name)}`)),
    ...problems.filter(([name]) => !known.has(name)).map(([, text]) => make('li', {}, text)),
  ];
  summary.hidden = lines.length === 0;
  summary.replaceChildren(make('h2', {}, 'Not sent yet: please look at these'), make('ul', {}, ...lines));
  return wrong;
}

/** The address contains the token of the draft, so a click moves the focus and does not change the address. */
function linkTo(one) {
  const link = make('a', { href: HOME }, one.label);
  link.addEventListener('click', (event) => {
    event.preventDefault();
    one.focus();
  });
  return link;
}
