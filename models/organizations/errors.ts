import { defineErrors } from '../errors.js';

/** Error codes of the organizations area. */
export const organizationsErrors = defineErrors({
  chapter_not_active: [409, 'This chapter is not active: it takes no new members, requests or bulletins.'],
  region_in_use: [
    409,
    'Chapters, administrators or other records still refer to this region. Deactivate it instead: set is_active to false.',
  ],
  admin_exists: [409, 'This person is an admin of the organization already. Reactivate the existing entry.'],
  regional_admin_exists: [409, 'This person is an admin of this region already. Reactivate the existing entry.'],
  membership_exists: [409, 'This person has a membership in this chapter already.'],
  impersonable_search_forbidden: [403, 'Only admins of the organization may search for members to impersonate.'],
  not_in_active_standing: [
    409,
    'Officers and presidents must be undergrad, associate, active_alumni or lifetime_alumni. A member with another status cannot hold office.',
  ],
  transition_not_allowed: [409, 'This change of status is not allowed.'],
  later_change_exists: [409, 'This membership has a later change. Choose a day after it.'],
  person_gone: [
    409,
    'This membership has no person any more: the account was deleted, or the invitation was declined. Add the person again.',
  ],
  change_scheduled: [409, 'A change of this membership is scheduled for this day already. Cancel it first.'],
  transfer_in_progress: [409, 'A transfer of this person is already in progress or scheduled. Cancel that one first.'],
  change_ended: [409, 'This change is no longer scheduled: it was applied, refused or cancelled.'],
  office_taken: [409, 'This chapter already has a president. The president must hand over or step down first.'],
  term_ended: [409, 'This term has ended.'],
  rollover_in_progress: [409, 'A rollover of this organization is already running.'],
  nothing_to_roll_over: [409, 'No member is due for the rollover.'],
  rollover_reverted: [409, 'This rollover was already reverted.'],
  revert_too_late: [409, 'A rollover can be reverted only within seven days.'],
  export_in_progress: [409, 'A roster export of yours is already in progress.'],
  export_ended: [409, 'This export has ended.'],
  too_many_exports: [409, 'You have requested too many roster exports today. Try again tomorrow.'],
  consent_version_stale: [409, 'A newer version was published. Read that one.'],
  consent_not_given: [409, 'You have not given this consent, or have withdrawn it already.'],
  consent_template_published: [
    409,
    'A published consent stays on record. Deactivate it instead: set is_active to false.',
  ],
  nothing_to_publish: [409, 'This text is already published.'],
  term_overlap: [409, 'This term overlaps another one.'],
});
