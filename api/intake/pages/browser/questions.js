/** Questions of a form as fields, and what is typed in them as the API takes it. */
import { formatted, make, paragraphs } from './dom.js';
import { field } from './fields.js';

/** Labels and kinds of the standard fields, in the order of the form. */
const STANDARD = {
  phone_number: { label: 'Telephone', kind: 'tel' },
  birth_date: { label: 'Date of birth', kind: 'date', autocomplete: 'bday' },
  permanent_address: { label: 'Permanent address', kind: 'long', autocomplete: 'street-address' },
  year_in_college: { label: 'Year in college', kind: 'short' },
  degree_type: { label: 'Degree', kind: 'short' },
  expected_graduation_semester: { label: 'Expected graduation: season', kind: 'short', help: 'For example Spring.' },
  expected_graduation_year: { label: 'Expected graduation: year', kind: 'number' },
  gpa: { label: 'Grade point average', kind: 'number' },
  place_of_birth: { label: 'Place of birth', kind: 'short' },
  ethnicity: { label: 'Ethnicity', kind: 'short' },
  organizations_memberships: { label: 'Organizations that you belong to', kind: 'long' },
  honors_achievements: { label: 'Honors and achievements', kind: 'long' },
  community_involvement: { label: 'Community involvement', kind: 'long' },
  other_activities: { label: 'Other activities', kind: 'long' },
  emergency_contact_name: { label: 'Emergency contact: name', kind: 'short' },
  emergency_contact_phone: { label: 'Emergency contact: telephone', kind: 'tel', autocomplete: 'off' },
};

const CONFIRMS = 'We will mail you a link to confirm your application.';

const chapterName = ({ name, designation, university, city, state }) =>
  [name, designation, university, [city, state].filter(Boolean).join(' ')].filter(Boolean).join(', ');

const person = ({ verify_email }, chapters) =>
  [
    { name: 'first_name', label: 'First name', kind: 'short', autocomplete: 'given-name' },
    { name: 'last_name', label: 'Last name', kind: 'short', autocomplete: 'family-name' },
    { name: 'email', label: 'E-mail address', kind: 'email', help: verify_email && CONFIRMS },
    { name: 'chapter', label: 'Chapter', kind: 'single', options: chapters.map((one) => [one.id, chapterName(one)]) },
  ].map((one) => field({ ...one, isRequired: true }));

const standard = ({ required_fields, gpa_scale }) =>
  Object.entries(STANDARD).map(([name, asked]) => {
    const isRequired = required_fields.includes(name);
    const made = field({ ...asked, name, isRequired, ...(name === 'gpa' && { help: `On a scale to ${gpa_scale}.` }) });
    return { ...made, isRequired };
  });

const answers = (questions) =>
  questions.map(({ key, label, help, type, options, is_required }) =>
    field({
      name: `answers.${key}`,
      label,
      help,
      kind: type,
      options: options.map((option) => [option, option]),
      isRequired: is_required,
    }),
  );

/** Fields of one referee. */
const REFEREE = {
  name: { label: 'Name', kind: 'short', isRequired: true },
  email: { label: 'E-mail address', kind: 'email', isRequired: true },
  relation: { label: 'How they know you', kind: 'short', help: 'For example: teacher.' },
};

const refereesOf = ({ reference_letters: many }) =>
  Array.from({ length: many }, (_, n) =>
    Object.entries(REFEREE).map(([name, asked]) =>
      field({
        ...asked,
        name: `referees.${n}.${name}`,
        label: `${asked.label} (person ${n + 1})`,
        autocomplete: 'off',
      }),
    ),
  );

/** A text and its consent: a checkbox, or a typed name. */
function consent(asked) {
  const { template, title, method, body_html, body_text, version, text_hash } = asked;
  const isTyped = method === 'typed_name';
  const given = { template, version, text_hash };
  const one = field({
    name: `consents.${template}`,
    label: isTyped ? `Type your full name to agree to “${title}”` : `Do you agree to “${title}”?`,
    kind: isTyped ? 'short' : 'multiple',
    options: [[true, 'I agree']],
    isRequired: true,
  });
  const body = body_html === null ? paragraphs(body_text) : [formatted(body_html)];
  const element = make('div', {}, make('h3', {}, title), ...body, one.element);
  const read = () => {
    const value = one.read();
    if (!value || value.length === 0) return null;
    return isTyped ? { ...given, typed_name: value } : given;
  };
  const write = (list) => {
    // A consent to a changed text is not restored.
    const kept = list.find((other) => other.template === template && other.text_hash === text_hash);
    one.write(isTyped ? kept?.typed_name : kept && [true]);
  };
  return { ...one, element, read, write };
}

const filled = (fields, nameOf = ({ name }) => name) =>
  Object.fromEntries(
    fields.map((one) => [nameOf(one), one.read()]).filter(([, value]) => value !== null && value !== ''),
  );

/** @returns the fields by section, and functions to read and write all of them as a draft */
export function questionsOf(form, { chapters, questions, consents }) {
  const asked = { person: person(form, chapters), standard: standard(form), answers: answers(questions) };
  const agreed = consents.map(consent);
  const people = refereesOf(form);
  const referees = people.flat();
  const keyOf = ({ name }) => name.slice('answers.'.length);
  const partOf = ({ name }) => name.split('.').at(-1);
  return {
    ...asked,
    consents: agreed,
    referees,
    all: [...asked.person, ...asked.standard, ...asked.answers, ...referees, ...agreed],
    read: () => ({
      ...filled([...asked.person, ...asked.standard]),
      answers: filled(asked.answers, keyOf),
      ...(people.length > 0 && { referees: people.map((one) => filled(one, partOf)) }),
      consents: agreed.map((one) => one.read()).filter((one) => one !== null),
    }),
    write: ({ answers: kept = {}, consents: given = [], referees: named = [], ...typed }) => {
      for (const one of [...asked.person, ...asked.standard]) one.write(typed[one.name]);
      for (const one of asked.answers) one.write(kept[keyOf(one)]);
      people.forEach((fields, n) => {
        for (const one of fields) one.write(named[n]?.[partOf(one)]);
      });
      for (const one of agreed) one.write(given);
    },
  };
}
