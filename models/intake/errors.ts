import { defineErrors } from '../errors.js';

export const intakeErrors = defineErrors({
  already_crossed: [409, 'This person has crossed already.'],
  line_number_taken: [409, 'Somebody else of this line has this number. Give another.'],
  nobody_to_cross: [409, 'Nobody of this line can cross: the preview says why.'],
  crossing_invoiced: [409, 'This person has been invoiced since: a crossing that was billed is not taken back.'],
  crossing_not_paused: [409, 'This crossing waits for nobody: it is under way, or over.'],
  period_already_active: [409, 'Another recruitment period is active. Close it first.'],
  period_not_draft: [409, 'This recruitment period was active before.'],
  period_not_active: [409, 'This recruitment period is not active.'],
  period_not_closed: [409, 'This recruitment period is not closed.'],
  intake_closed: [409, 'Applications are not taken at the moment.'],
  application_closed: [409, 'This application is being looked at already: it cannot be changed any more.'],
  application_link_invalid: [400, 'This link is not valid, was used before, or has expired.'],
  application_sent: [409, 'This has been sent already. Begin anew to send something else.'],
  intake_not_ready: [409, 'Something is missing, or wants a look: waive it by name, with a reason, or wait.'],
  gpa_below_minimum: [422, 'The grade point average is below what is asked for.'],
  name_taken: [409, 'Somebody of the chapter has this name. Say confirm_taken, or propose another.'],
  crossing_reverted: [409, 'This crossing was taken back already.'],
});
