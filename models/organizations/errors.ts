import { defineErrors } from '../errors.js';

/** Refusals of the organizations area. */
export const organizationsErrors = defineErrors({
  chapter_not_active: [409, 'This chapter is not active: it takes no new members, requests or bulletins.'],
  region_in_use: [
    409,
    'Chapters, administrators or something else still refer to this region. Let it rest: is_active false.',
  ],
  admin_exists: [409, 'This person is an admin of the organization already. Reactivate the existing entry.'],
  regional_admin_exists: [409, 'This person is an admin of this region already. Reactivate the existing entry.'],
  membership_exists: [409, 'This person has a membership in this chapter already.'],
  impersonable_search_forbidden: [403, 'Only admins of the organization may search for whom they could impersonate.'],
  not_in_active_standing: [
    409,
    'Officers and presidents are undergrad, associate, active_alumni or lifetime_alumni: this status lets nobody hold office.',
  ],
  transition_not_allowed: [409, 'A membership, or a chapter, does not go from its status to this one.'],
  later_change_exists: [409, 'This membership was changed on a later day.'],
  person_gone: [
    409,
    'Nobody is behind this membership any more: the account was deleted, or the invitation declined. Add the person anew.',
  ],
  change_scheduled: [409, 'A change of this membership is scheduled for this day already. Cancel it first.'],
  transfer_in_progress: [409, 'A transfer of this person is under way, or scheduled: cancel that one first.'],
  change_ended: [409, 'This change waits no more: it was applied, refused or cancelled.'],
  office_taken: [409, 'This chapter has a president, who hands over or steps down first.'],
  term_ended: [409, 'This term has ended.'],
  rollover_in_progress: [409, 'A rollover of this organization is under way.'],
  nothing_to_roll_over: [409, 'Nobody is due: there is nobody to move.'],
  rollover_reverted: [409, 'This rollover was taken back already.'],
  revert_too_late: [409, 'A rollover is taken back within seven days.'],
  export_in_progress: [409, 'A roster is being written for you already.'],
  export_ended: [409, 'This export has ended.'],
  too_many_exports: [409, 'You have asked for too many rosters today. Try again tomorrow.'],
  consent_version_stale: [409, 'Another version was published since. Read that one.'],
  consent_not_given: [409, 'You have not given this consent, or have withdrawn it already.'],
  consent_template_published: [409, 'This was published: it stays on record. Let it rest: is_active false.'],
  nothing_to_publish: [409, 'This text is published already.'],
  term_overlap: [409, 'This term overlaps another one.'],
});
