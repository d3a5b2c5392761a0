import { defineErrors } from '../errors.js';

/** Error codes of the organizations area. */
export const organizationsErrors = defineErrors({
  chapter_not_active: [409, 'This chapter is not active: it takes no new members, requests or bulletins.'],
  region_in_use: [
    409,
    'Chapters, administrators or other records still refer to this region. Deactivate it instead: set is_active to false.',
  ],
  admin_exists: [
    409,
    'This person already has an admin entry in this organization. If the entry is inactive, reactivate it.',
  ],
  regional_admin_exists: [
    409,
    'This person already has an admin entry in this region. If the entry is inactive, reactivate it.',
  ],
  membership_exists: [409, 'This person has a membership in this chapter already.'],
  impersonable_search_forbidden: [403, 'Only admins of the organization may search for members to impersonate.'],
  not_in_active_standing: [
    409,
    'Officers and presidents must be undergrad, associate, active_alumni or lifetime_alumni. A member with another status cannot hold office.',
  ],
  transition_not_allowed: [409, 'The status cannot change from its current value to the requested one.'],
  later_change_exists: [409, 'The chosen day is before the last change of this membership. Choose a later day.'],
  person_gone: [
    409,
    'This membership has no person any more: the account was deleted, or the invitation was declined. Add the person again.',
  ],
  change_scheduled: [409, 'A change of this membership is scheduled for this day already. Cancel it first.'],
  transfer_in_progress: [409, 'A transfer of this person is already in progress or scheduled. Cancel that one first.'],
  change_ended: [409, 'This change is no longer scheduled: it was applied, refused or cancelled.'],
  office_taken: [409, 'This chapter already has a president. The president must hand over or step down first.'],
  term_ended: [409, 'This term of office has already ended. It cannot be reopened or handed over.'],
  rollover_in_progress: [409, 'A rollover of this organization is already running.'],
  nothing_to_roll_over: [409, 'No member is due for the rollover.'],
  rollover_reverted: [409, 'This rollover was already reverted.'],
  revert_too_late: [409, 'A rollover can be reverted only within seven days.'],
  export_in_progress: [
    409,
    'One of your roster exports is already in progress. Wait until it has ended, or cancel it.',
  ],
  export_ended: [409, 'This export has already ended, so it cannot be cancelled.'],
  too_many_exports: [409, 'You have requested too many roster exports today. Try again tomorrow.'],
  consent_version_stale: [
    409,
    'A newer version of this consent was published. Load and read it, then send your consent to that version.',
  ],
  consent_not_given: [409, 'You have not given this consent, or have withdrawn it already.'],
  consent_template_published: [
    409,
    'A published consent stays on record. Deactivate it instead: set is_active to false.',
  ],
  nothing_to_publish: [409, 'This text is already published.'],
  term_overlap: [409, 'The dates of this term overlap another term. Change the dates.'],
});
