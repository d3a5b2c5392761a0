/** What crossing a line means for each of it: judged alike for the preview and for its confirmation. */
import { createHash } from 'node:crypto';
import { Refusal } from '../../errors.js';
import type { Hand } from '../../organizations/lifecycle/transitions.js';
import { giftsOf } from '../crossings/gifts.js';
import { intakeErrors } from '../errors.js';
import { requireMove } from '../pnm/stages.js';
import { CARRIED_FIELDS, type CarriedField, type Fate } from '../vocabulary.js';
import { type Candidate, readLine } from './readLine.js';

export interface LineRequest {
  chapter: string;
  pnms: readonly string[];
  /** Left out: when it is confirmed. */
  crossedAt: string | undefined;
  membershipStatus: 'undergrad' | 'associate';
  /** Whoever is not named keeps the number that stands. */
  lineNumbers: readonly { pnm: string; line_number: number }[];
}

export interface LineMember
  extends Pick<Candidate, 'pnm' | 'membership' | 'first_name' | 'last_name' | 'email' | 'stage' | 'told_by'> {
  /** Theirs once they have crossed. */
  line_number: number | null;
  /** What becomes of each; never a value. */
  fields: { field: CarriedField; fate: Fate }[];
  /** Why somebody cannot cross, as their transition alone would be refused. */
  error: { code: string; detail: string } | null;
}

export interface LinePlan {
  preview_hash: string;
  members: LineMember[];
}

/** @param hand of whoever asks */
export async function planLine(request: LineRequest, hand: Hand): Promise<LinePlan> {
  const { chapter, pnms, crossedAt, membershipStatus, lineNumbers } = request;
  const candidates = await readLine(chapter, pnms);
  const given = new Map(lineNumbers.map(({ pnm, line_number }) => [pnm, line_number]));
  const able = candidates.map((candidate) => ({ candidate, error: errorOf(candidate, hand) }));
  const standing = able.filter(({ candidate, error }) => !error && !given.has(candidate.pnm));
  const numbers = [...given.values(), ...standing.map(({ candidate }) => candidate.line_number)];
  const members = able.map(({ candidate, error }) => {
    const line_number = given.get(candidate.pnm) ?? candidate.line_number;
    const isShared = line_number !== null && numbers.filter((number) => number === line_number).length > 1;
    const taken = isShared && !given.has(candidate.pnm) ? wordsOf(intakeErrors.line_number_taken()) : null;
    return memberOf(candidate, line_number, error ?? taken);
  });
  const each = members.map((member, n) => JSON.stringify([member, candidates[n]?.versions])).toSorted();
  const seen = JSON.stringify([chapter, crossedAt ?? null, membershipStatus, each]);
  return { preview_hash: createHash('sha256').update(seen).digest('hex'), members };
}

const wordsOf = ({ code, message }: Refusal) => ({ code, detail: message });

function errorOf({ stage }: Candidate, hand: Hand): LineMember['error'] {
  try {
    requireMove(stage, 'completed', hand, undefined);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return wordsOf(error);
  }
}

function memberOf(candidate: Candidate, line_number: number | null, error: LineMember['error']): LineMember {
  const { pnm, membership, first_name, last_name, email, stage, told_by } = candidate;
  const who = { pnm, membership, first_name, last_name, email, stage, line_number };
  return error ? { ...who, told_by: null, fields: [], error } : { ...who, told_by, fields: fieldsOf(candidate), error };
}

function fieldsOf({ answers, has_account, copied, blank }: Candidate): LineMember['fields'] {
  const gifts = giftsOf(answers, new Date(), { hasAccount: has_account, copied: new Set(copied) });
  const takes = new Set(blank);
  return CARRIED_FIELDS.map((field) => {
    const gift = gifts[field];
    return { field, fate: 'fate' in gift ? gift.fate : takes.has(field) ? 'copied' : 'kept_member_value' };
  });
}
