/**
 * Contents of an application. In a draft only the types are checked; a submitted version was checked against the form
 * and also stores the wording of its questions.
 */
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

const TypedConsent = z
  .strictObject({
    template: z.string().max(100),
    version: z.int(),
    text_hash: z.string().max(100),
    typed_name: z.string().max(200).nullable().optional(),
  })
  .meta({ id: 'ApplicantConsent', description: 'A consent that the applicant has read and given.' });

/** Maximum number of referees that a configuration may ask for. */
const MAX_REFEREES = 5;

const TypedReferee = z
  .strictObject({
    name: z.string().max(300).nullable().optional(),
    email: z.string().max(320).nullable().optional(),
    relation: z.string().max(300).nullable().optional(),
  })
  .meta({ id: 'ApplicantReferee', description: 'A person who is asked for a letter of reference.' });

export const Contents = z
  .strictObject({
    chapter: z.string().max(100).nullable().optional(),
    email: z.string().max(320).nullable().optional(),
    first_name: typed,
    last_name: typed,
    ...standard,
    answers: z.record(z.string().max(40), Answer).optional().meta({ description: 'Answers by question key.' }),
    consents: z.array(TypedConsent).max(20).optional(),
    referees: z.array(TypedReferee).max(MAX_REFEREES).optional(),
  })
  .meta({ id: 'ApplicationContents' });
export type Contents = z.output<typeof Contents>;

/** Contents that passed the checks of the form. */
export interface SubmittedContents {
  person: { first_name: string; last_name: string };
  belowMinimumGpa: boolean;
  fields: Edit<PnmProfile>;
  answers: { key: string; label: string; type: (typeof QUESTION_TYPES)[number]; answer: Exclude<Answer, null> }[];
  /** Absent in versions submitted before letters were introduced. */
  referees?: Referee[];
  consents: { template: string; title: string; version: number; text_hash: string; typed_name: string | null }[];
}
