/**
 * Plans what happens to each person when a line (several prospective members) becomes members together. The preview and
 * its confirmation use the same plan.
 */
import { createHash } from 'node:crypto';
import { Refusal } from '../../errors.js';
import type { Authority } from '../../organizations/lifecycle/transitions.js';
import { planCarry } from '../crossings/carryPlan.js';
import { intakeErrors } from '../errors.js';
import { requireMove } from '../pnm/stages.js';
import { CARRIED_FIELDS, type CarriedField, type Fate } from '../vocabulary.js';
import { type Candidate, readLine } from './readLine.js';

export interface LineRequest {
  chapter: string;
  pnms: readonly string[];
  /** When the people cross. Default: the time of the confirmation. */
  crossedAt: string | undefined;
  membershipStatus: 'undergrad' | 'associate';
  /** New line numbers. A person who is not in this list keeps their current number. */
  lineNumbers: readonly { pnm: string; line_number: number }[];
}

export interface LineMember
  extends Pick<Candidate, 'pnm' | 'membership' | 'first_name' | 'last_name' | 'email' | 'stage' | 'told_by'> {
  /** Line number after the crossing; null if the person has none. */
  line_number: number | null;
  /** What happens to each field. The values are not shown. */
  fields: { field: CarriedField; fate: Fate }[];
  /**
   * Why the person cannot become a member: the error that a request for this person alone would get. Null if they can.
   */
  error: { code: string; detail: string } | null;
}

export interface LinePlan {
  preview_hash: string;
  members: LineMember[];
}

/**
 * Plans the crossing of a line (several prospective members become members together).
 * @param authority authority of the requester
 */
export async function planLine(request: LineRequest, authority: Authority): Promise<LinePlan> {
  const { chapter, pnms, crossedAt, membershipStatus, lineNumbers } = request;
  const candidates = await readLine(chapter, pnms);
  const requestedNumbers = new Map(lineNumbers.map(({ pnm, line_number }) => [pnm, line_number]));
  const checked = candidates.map((candidate) => ({ candidate, error: errorOf(candidate, authority) }));
  const keepingNumber = checked.filter(({ candidate, error }) => !error && !requestedNumbers.has(candidate.pnm));
  const numbers = [...requestedNumbers.values(), ...keepingNumber.map(({ candidate }) => candidate.line_number)];
  const members = checked.map(({ candidate, error }) => {
    const line_number = requestedNumbers.get(candidate.pnm) ?? candidate.line_number;
    const isShared = line_number !== null && numbers.filter((number) => number === line_number).length > 1;
    const numberError =
      isShared && !requestedNumbers.has(candidate.pnm) ? errorDetail(intakeErrors.line_number_taken()) : null;
    return memberOf(candidate, line_number, error ?? numberError);
  });
  const each = members.map((member, n) => JSON.stringify([member, candidates[n]?.versions])).toSorted();
  const hashed = JSON.stringify([chapter, crossedAt ?? null, membershipStatus, each]);
  return { preview_hash: createHash('sha256').update(hashed).digest('hex'), members };
}

const errorDetail = ({ code, message }: Refusal) => ({ code, detail: message });

function errorOf({ stage }: Candidate, authority: Authority): LineMember['error'] {
  try {
    requireMove(stage, 'completed', authority, undefined);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return errorDetail(error);
  }
}

function memberOf(candidate: Candidate, line_number: number | null, error: LineMember['error']): LineMember {
  const { pnm, membership, first_name, last_name, email, stage, told_by } = candidate;
  const person = { pnm, membership, first_name, last_name, email, stage, line_number };
  return error
    ? { ...person, told_by: null, fields: [], error }
    : { ...person, told_by, fields: fieldsOf(candidate), error };
}

function fieldsOf({ answers, has_account, copied, blank }: Candidate): LineMember['fields'] {
  const plan = planCarry(answers, new Date(), { hasAccount: has_account, copied: new Set(copied) });
  const blankFields = new Set(blank);
  return CARRIED_FIELDS.map((field) => {
    const planned = plan[field];
    return { field, fate: 'fate' in planned ? planned.fate : blankFields.has(field) ? 'copied' : 'kept_member_value' };
  });
}
