import { type Block, pdf } from '../../../gateways/documents/pdf.js';
import type { ReadApplication } from '../../../models/intake/pnm-applications/readApplications.js';
import type { ReachedStage } from '../../../models/intake/pnm/readStages.js';
import type { ReceivedLetter } from '../../../models/intake/reference-letters/decideOnLetter.js';
import type { Prospect } from '../../../models/intake/pnm/readProspects.js';

type Answers = ReadApplication['answers'];

/** Profile fields that people who decide may read; demographics and notes are left out. */
const PRINTED_FIELDS = [
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

const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const formatAnswer = (answer: Answers[number]['answer']): string => {
  if (Array.isArray(answer)) return answer.join(', ');
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return String(answer);
};

const answerBlocks = (answers: Answers): Block[] =>
  answers.map(({ label, answer }) => ({ name: label, value: formatAnswer(answer) }));

/** Renders an application as a PDF, in the wording of its questions. */
export const renderApplication = (
  prospect: Prospect,
  stages: readonly ReachedStage[],
  sent: ReadApplication | null,
): Promise<Buffer> =>
  pdf(`${sent?.first_name ?? prospect.first_name} ${sent?.last_name ?? prospect.last_name}`, [
    { name: 'Email', value: sent?.email ?? prospect.email ?? '' },
    { name: 'Stage', value: labelOf(prospect.stage) },
    { name: 'Reason', value: prospect.stage_reason ?? '' },
    { name: 'Missing for an approval', value: prospect.problems.map(labelOf).join(', ') },
    { heading: 'Stages' },
    { name: prospect.created_at, value: 'Joined the intake' },
    ...stages.map(({ at, stage, reason, by }) => ({
      name: at,
      value: `${labelOf(stage)}${by === null ? '' : `, by ${by}`}${reason === null ? '' : `: ${reason}`}`,
    })),
    { heading: 'Profile' },
    ...PRINTED_FIELDS.filter((name) => prospect[name] !== null).map((name) => ({
      name: labelOf(name),
      value: String(prospect[name]),
    })),
    ...(sent ? applicationBlocks(sent) : []),
  ]);

const applicationBlocks = ({ answers, consents, attachments, versions }: ReadApplication): Block[] => [
  { heading: 'Answers' },
  ...answerBlocks(answers),
  { heading: 'Consents' },
  ...consents.map(({ title, version, typed_name: name }) => ({
    name: `${title}, version ${version}`,
    value: name ?? 'Agreed',
  })),
  { heading: 'Files' },
  ...attachments.map(({ kind, name, is_being_checked }) => ({
    name: labelOf(kind),
    value: is_being_checked ? `${name}, still being checked and not in this archive` : name,
  })),
  ...versions
    .filter((version) => !version.is_current)
    .flatMap((version) => [{ heading: `Earlier version, ${version.submitted_at}` }, ...answerBlocks(version.answers)]),
];

/** Renders a letter as a PDF. */
export const renderLetter = (
  { first_name, last_name }: Prospect,
  { name, email, relation, closed_at }: ReceivedLetter,
  text: string,
): Promise<Buffer> =>
  pdf(`A letter about ${first_name} ${last_name}`, [
    { name: 'From', value: [name, relation, email].filter(Boolean).join(', ') },
    { name: 'Sent', value: closed_at },
    { heading: 'Letter' },
    { name: '', value: text },
  ]);
