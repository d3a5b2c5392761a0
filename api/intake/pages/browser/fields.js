/** Fields of a form, each with its label, help and error, and with functions to read and fill it. */
import { make, say } from './dom.js';

const textOf = (attributes) => (parts) => {
  const input = make('input', { type: 'text', ...attributes, ...parts.shared });
  return { element: input, read: () => input.value, write: (value) => (input.value = value ?? '') };
};

const NUMBER = /^-?\d+([.,]\d+)?$/;

/** Keeps what is typed as text, because a browser's own number field would silently drop invalid input. */
function numberOf({ shared }) {
  const input = make('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', ...shared });
  const typed = () => input.value.trim();
  const isNumber = () => NUMBER.test(typed());
  return {
    element: input,
    read: () => (isNumber() ? Number(typed().replace(',', '.')) : null),
    write: (value) => (input.value = value ?? ''),
    problem: () => (typed() === '' || isNumber() ? null : 'Must be a number.'),
  };
}

function areaOf({ shared, autocomplete }) {
  const area = make('textarea', { rows: '5', autocomplete, ...shared });
  return { element: area, read: () => area.value, write: (value) => (area.value = value ?? '') };
}

/** @param options pairs of a stored value and its label */
function choiceOf({ shared, options }) {
  const choice = make('select', shared, make('option', { value: '' }, 'Choose …'));
  options.forEach(([, text], at) => choice.append(make('option', { value: String(at) }, text)));
  return {
    element: choice,
    read: () => (choice.value === '' ? null : options[Number(choice.value)][0]),
    write: (value) => {
      const at = options.findIndex(([kept]) => kept === value);
      choice.value = at < 0 ? '' : String(at);
    },
  };
}

function boxesOf({ id, options, shared }) {
  const boxes = options.map(([, text], at) => {
    const box = make('input', { type: 'checkbox', id: `${id}-${at}`, 'aria-describedby': shared['aria-describedby'] });
    return { box, row: make('label', { class: 'option' }, box, make('span', {}, text)) };
  });
  const chosen = () => options.filter((_, at) => boxes[at].box.checked).map(([kept]) => kept);
  return {
    isGroup: true,
    element: make('div', {}, ...boxes.map(({ row }) => row)),
    first: boxes[0]?.box,
    read: () => (chosen().length > 0 ? chosen() : null),
    write: (value) =>
      boxes.forEach(({ box }, at) => (box.checked = Array.isArray(value) && value.includes(options[at][0]))),
  };
}

const CONTROLS = {
  short: ({ autocomplete, ...parts }) => textOf({ autocomplete })(parts),
  long: areaOf,
  email: ({ autocomplete = 'email', ...parts }) =>
    textOf({ type: 'email', autocomplete, autocapitalize: 'none', spellcheck: 'false' })(parts),
  tel: ({ autocomplete = 'tel', ...parts }) => textOf({ type: 'tel', autocomplete })(parts),
  date: ({ autocomplete, ...parts }) => textOf({ type: 'date', autocomplete })(parts),
  number: numberOf,
  single: choiceOf,
  multiple: boxesOf,
  yes_no: (parts) =>
    choiceOf({
      ...parts,
      options: [
        [true, 'Yes'],
        [false, 'No'],
      ],
    }),
};

/**
 * Creates a field. @param asked `{name, label, help, kind, options, isRequired, autocomplete}`; errors use the same
 * name
 */
export function field({ name, label, help, kind, options = [], isRequired = false, autocomplete }) {
  const id = `f-${name.replaceAll('.', '-')}`;
  const error = make('p', { id: `${id}-error`, class: 'error', hidden: true });
  const hint = help ? make('p', { id: `${id}-help`, class: 'help' }, help) : null;
  const describedBy = `${hint ? `${hint.id} ` : ''}${error.id}`;
  const shared = { id, name, 'aria-describedby': describedBy, 'aria-required': isRequired && 'true' };
  const control = CONTROLS[kind]({ id, options, autocomplete, shared });
  const target = control.first ?? control.element;
  const words = isRequired ? label : `${label} (optional)`;
  const element = control.isGroup
    ? make('fieldset', { class: 'field' }, make('legend', {}, words), hint, error, control.element)
    : make('div', { class: 'field' }, make('label', { for: id }, words), hint, error, control.element);
  return {
    name,
    label,
    element,
    read: control.read,
    write: control.write,
    /** Returns why the input cannot be saved, or null. */
    problem: control.problem ?? (() => null),
    /** @param text null if there is no error */
    mark(text) {
      say(error, text ?? '');
      error.hidden = text === null;
      if (text === null) target.removeAttribute('aria-invalid');
      else target.setAttribute('aria-invalid', 'true');
    },
    focus() {
      for (let above = element.parentElement; above; above = above.parentElement)
        if (above.tagName === 'DETAILS') above.open = true;
      target.focus();
    },
  };
}
