/** Whether somebody may be approved: what is missing or wants a look is named, and may be waived by name. */
import { editRow, lockRow } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { type FieldErrors, invalid } from '../../errors.js';
import { intakeErrors } from '../errors.js';
import { PnmApplication } from '../pnm-applications/PnmApplication.js';

/** In words, by the names of `app.intake_problems`. */
const WORDS: Record<string, string> = {
  below_minimum_gpa: 'The grade point average is below the minimum.',
  unverified: 'The mailbox has not answered.',
  attachment_resume: 'There is no resume, or it is still being checked.',
  attachment_headshot: 'There is no headshot, or it is still being checked.',
  attachment_transcript: 'There is no transcript, or it is still being checked.',
  attachment_cover_letter: 'There is no cover letter, or it is still being checked.',
  reference_letters: 'Letters of reference are missing, or are still being checked.',
};

export interface Waiver {
  /** By name; all that stands in the way, or it is refused. */
  waive?: readonly string[] | undefined;
  reason?: string | undefined;
}

/** @throws Refusal intake_not_ready naming what stands in the way, validation_error for a waiver without a reason */
export async function requireReady(profileId: string, { waive = [], reason }: Waiver): Promise<void> {
  const problems = await rows<{ problem: string }>('SELECT problem FROM app.intake_problems($1, $2)', [
    currentOrganization(),
    profileId,
  ]);
  if (problems.length === 0) return;
  const open = problems.filter(({ problem }) => !waive.includes(problem));
  if (open.length > 0) {
    const named: FieldErrors = Object.fromEntries(open.map(({ problem }) => [problem, [WORDS[problem] ?? problem]]));
    throw intakeErrors.intake_not_ready(undefined, named);
  }
  if (reason === undefined) throw invalid('reason', 'Say why it is waived.');
  await waiveProblems(
    profileId,
    problems.map(({ problem }) => problem),
    reason,
  );
}

async function waiveProblems(profileId: string, problems: string[], waiver_reason: string): Promise<void> {
  const sent = await firstRow<{ id: string }>(
    `SELECT a.id FROM pnm_applications a JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = a.profile_id
      WHERE a.organization_id = $1 AND a.profile_id = $2 AND a.recruitment_period_id = p.recruitment_period_id`,
    [currentOrganization(), profileId],
  );
  if (!sent) return;
  const application = await lockRow(PnmApplication, sent.id);
  await editRow(application, { waived: [...application.waived, ...problems], waiver_reason });
}
