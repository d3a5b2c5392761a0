/** Decides whether a prospective member may be approved. An approver can waive missing requirements by naming them. */
import { editRow, lockForEdit } from '../../database/model/change.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { type FieldErrors, invalid } from '../../errors.js';
import { intakeErrors } from '../errors.js';
import { PnmApplication } from '../pnm-applications/PnmApplication.js';

/** Error texts, keyed by the names that `app.intake_problems` returns. */
const PROBLEM_TEXTS: Record<string, string> = {
  below_minimum_gpa: 'The grade point average is below the minimum.',
  unverified: 'The email address is not confirmed.',
  attachment_resume: 'There is no resume, or it is still being checked.',
  attachment_headshot: 'There is no headshot, or it is still being checked.',
  attachment_transcript: 'There is no transcript, or it is still being checked.',
  attachment_cover_letter: 'There is no cover letter, or it is still being checked.',
  reference_letters: 'Letters of reference are missing, or are still being checked.',
};

export interface Waiver {
  /** Names of the requirements to waive. The list must name every requirement that is missing. */
  waive?: readonly string[] | undefined;
  reason?: string | undefined;
}

/**
 * Requires that nothing is missing for an approval, or waives what is missing.
 * @throws Refusal intake_not_ready naming what is missing, validation_error for a waiver without a reason
 */
export async function requireReady(profileId: string, { waive = [], reason }: Waiver): Promise<void> {
  const problems = await rows<{ problem: string }>('SELECT problem FROM app.intake_problems($1, $2)', [
    currentOrganization(),
    profileId,
  ]);
  if (problems.length === 0) return;
  const unwaived = problems.filter(({ problem }) => !waive.includes(problem));
  if (unwaived.length > 0) {
    const details: FieldErrors = Object.fromEntries(
      unwaived.map(({ problem }) => [problem, [PROBLEM_TEXTS[problem] ?? problem]]),
    );
    throw intakeErrors.intake_not_ready(undefined, details);
  }
  if (reason === undefined) throw invalid('reason', 'Give the reason for the waiver.');
  await waiveProblems(
    profileId,
    problems.map(({ problem }) => problem),
    reason,
  );
}

async function waiveProblems(profileId: string, problems: string[], waiver_reason: string): Promise<void> {
  const existing = await firstRow<{ id: string }>(
    `SELECT a.id FROM pnm_applications a JOIN pnm_profiles p ON p.organization_id = $1 AND p.id = a.profile_id
      WHERE a.organization_id = $1 AND a.profile_id = $2 AND a.recruitment_period_id = p.recruitment_period_id`,
    [currentOrganization(), profileId],
  );
  if (!existing) return;
  const application = await lockForEdit(PnmApplication, existing.id);
  await editRow(application, { waived: [...application.waived, ...problems], waiver_reason });
}
