/** What applicants type: in a draft of the right types alone, and sent as the form asks for it, with its wording. */
import { z } from 'zod';
import type { Edit } from '../../database/model/change.js';
import { type QUESTION_TYPES, STANDARD_FIELDS, type StandardField } from '../pnm-config/vocabulary.js';
import type { PnmProfile } from '../pnm/PnmProfile.js';
import type { Referee } from '../reference-letters/requestLetter.js';

const typed = z.string().max(10_000).nullable().optional();
const NUMBERS: ReadonlySet<string> = new Set(['expected_graduation_year', 'gpa']);

const standard = Object.fromEntries(
  STANDARD_FIELDS.map((name) => [name, NUMBERS.has(name) ? z.number().nullable().optional() : typed]),
) as Record<StandardField, typeof typed>;

const Answer = z
  .union([z.string().max(20_000), z.number(), z.boolean(), z.array(z.string().max(500)).max(50)])
  .nullable();
export type Answer = z.output<typeof Answer>;

const Agreed = z
  .strictObject({
    template: z.string().max(100),
    version: z.int(),
    text_hash: z.string().max(100),
    typed_name: z.string().max(200).nullable().optional(),
  })
  .meta({ id: 'ApplicantConsent', description: 'What was read, and agreed to.' });

/** What a configuration may ask for at most. */
const MOST_REFEREES = 5;

const TypedReferee = z
  .strictObject({
    name: z.string().max(300).nullable().optional(),
    email: z.string().max(320).nullable().optional(),
    relation: z.string().max(300).nullable().optional(),
  })
  .meta({ id: 'ApplicantReferee', description: 'Who is to write a letter of reference.' });

export const Contents = z
  .strictObject({
    chapter: z.string().max(100).nullable().optional(),
    email: z.string().max(320).nullable().optional(),
    first_name: typed,
    last_name: typed,
    ...standard,
    answers: z.record(z.string().max(40), Answer).optional().meta({ description: 'By the keys of the questions.' }),
    consents: z.array(Agreed).max(20).optional(),
    referees: z.array(TypedReferee).max(MOST_REFEREES).optional(),
  })
  .meta({ id: 'ApplicationContents' });
export type Contents = z.output<typeof Contents>;

/** One that the form has taken. */
export interface Sent {
  person: { first_name: string; last_name: string };
  belowMinimumGpa: boolean;
  fields: Edit<PnmProfile>;
  answers: { key: string; label: string; type: (typeof QUESTION_TYPES)[number]; answer: Exclude<Answer, null> }[];
  /** Left out in what was sent before letters were asked for. */
  referees?: Referee[];
  consents: { template: string; title: string; version: number; text_hash: string; typed_name: string | null }[];
}
