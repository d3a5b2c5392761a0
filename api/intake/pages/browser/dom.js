/** Creates elements from attributes and text. Text is never read as HTML. */

/** @param attributes `true` sets an attribute without a value; `false` and missing values are left out */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false && value !== null && value !== undefined)
      element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const button = (text, work, attributes = {}) => {
  const made = make('button', { type: 'button', ...attributes }, text);
  made.addEventListener('click', () => void work());
  return made;
};

/** Splits the text of an organization into paragraphs and keeps its line breaks. */
export const paragraphs = (text) =>
  (text ?? '')
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => make('p', { class: 'lines' }, part));

/** Shows a new text to people who see or hear the page. An unchanged text is not announced again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces the content of the page and moves the focus to its heading, so that screen readers announce it. */
export function show(title, ...children) {
  document.title = title;
  const heading = make('h1', { tabindex: '-1' }, title);
  document.querySelector('main').replaceChildren(heading, ...children);
  heading.focus();
}

const PLAIN = new Set('P UL OL LI STRONG EM B I U H1 H2 H3 H4 BLOCKQUOTE BR CODE PRE'.split(' '));
const HEADINGS = /^H[1-4]$/;

/**
 * Copies the formatted text of an organization: paragraphs, lists and emphasis. Other elements are reduced to their
 * text.
 */
export function formatted(html) {
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
      else if (node.nodeType === Node.ELEMENT_NODE) copy(node, PLAIN.has(node.tagName) ? below(node, to) : to);
    }
    return to;
  };
  const below = ({ tagName }, to) => {
    const element = make(HEADINGS.test(tagName) ? 'h4' : tagName);
    to.append(element);
    return element;
  };
  // The parsed document is inert: nothing in it runs or loads.
  return copy(new DOMParser().parseFromString(html, 'text/html').body, make('div'));
}
