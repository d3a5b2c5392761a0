import { type Block, pdf } from '../../../gateways/documents/pdf.js';
import type { ReadApplication } from '../../../models/intake/pnm-applications/readApplications.js';
import type { ReachedStage } from '../../../models/intake/pnm/readStages.js';
import type { LetterAbout } from '../../../models/intake/reference-letters/decideOnLetter.js';
import type { Prospect } from '../../../models/intake/pnm/readProspects.js';

type Answers = ReadApplication['answers'];

/** Of what a prospective member said of themselves, what those who decide are to read; demographics and notes are not in it. */
const SHOWN = [
  'birth_date',
  'phone_number',
  'permanent_address',
  'place_of_birth',
  'expected_graduation_semester',
  'expected_graduation_year',
  'year_in_college',
  'degree_type',
  'gpa',
  'organizations_memberships',
  'honors_achievements',
  'other_activities',
  'community_involvement',
  'emergency_contact_name',
  'emergency_contact_phone',
] as const satisfies readonly (keyof Prospect)[];

const worded = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const said = (answer: Answers[number]['answer']): string => {
  if (Array.isArray(answer)) return answer.join(', ');
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return String(answer);
};

const answered = (answers: Answers): Block[] =>
  answers.map(({ label, answer }) => ({ name: label, value: said(answer) }));

/** What somebody has sent, as it was asked, for printing. */
export const applicationPages = (
  prospect: Prospect,
  stages: readonly ReachedStage[],
  sent: ReadApplication | null,
): Promise<Buffer> =>
  pdf(`${sent?.first_name ?? prospect.first_name} ${sent?.last_name ?? prospect.last_name}`, [
    { name: 'Email', value: sent?.email ?? prospect.email ?? '' },
    { name: 'Stage', value: worded(prospect.stage) },
    { name: 'Reason', value: prospect.stage_reason ?? '' },
    { name: 'Stands in the way of an approval', value: prospect.problems.map(worded).join(', ') },
    { heading: 'Stages' },
    { name: prospect.created_at, value: 'Came in' },
    ...stages.map(({ at, stage, reason, by }) => ({
      name: at,
      value: `${worded(stage)}${by === null ? '' : `, by ${by}`}${reason === null ? '' : `: ${reason}`}`,
    })),
    { heading: 'Of themselves' },
    ...SHOWN.filter((name) => prospect[name] !== null).map((name) => ({
      name: worded(name),
      value: String(prospect[name]),
    })),
    ...(sent ? sentPages(sent) : []),
  ]);

const sentPages = ({ answers, consents, attachments, versions }: ReadApplication): Block[] => [
  { heading: 'Answers' },
  ...answered(answers),
  { heading: 'Agreed to' },
  ...consents.map(({ title, version, typed_name: name }) => ({
    name: `${title}, version ${version}`,
    value: name ?? 'Agreed',
  })),
  { heading: 'Files' },
  ...attachments.map(({ kind, name, is_being_checked }) => ({
    name: worded(kind),
    value: is_being_checked ? `${name}, which is being checked and not in this archive` : name,
  })),
  ...versions
    .filter((version) => !version.is_current)
    .flatMap((version) => [{ heading: `Sent before, ${version.submitted_at}` }, ...answered(version.answers)]),
];

/** A letter about somebody, for printing. */
export const letterPages = (
  { first_name, last_name }: Prospect,
  { name, email, relation, closed_at }: LetterAbout,
  text: string,
): Promise<Buffer> =>
  pdf(`A letter about ${first_name} ${last_name}`, [
    { name: 'From', value: [name, relation, email].filter(Boolean).join(', ') },
    { name: 'Sent', value: closed_at },
    { heading: 'What it says' },
    { name: '', value: text },
  ]);
