/**
 * Composition root: binds the functions that lower areas need from higher ones. Every entry point imports it: the
 * API, the worker, commands, tests.
 */
import { financesErasure } from './finances/erasure.js';
import './finances/notifications.js';
import './finances/reminders/notifications.js';
import { moveCredit } from './finances/credit/moveCredit.js';
import { openWork } from './finances/openWork.js';
import { readMemberAccount } from './finances/readMemberAccount.js';
import { lapsePlanRequests } from './finances/payment-plans/endPlans.js';
import { endMemberAccounts } from './finances/terminal-settlements/endMemberAccounts.js';
import { aboveIdentity } from './identity/above.js';
import { carryAtOnce } from './intake/crossings/carry.js';
import { intakeErasure } from './intake/erasure.js';
import './intake/notifications.js';
import { moveAccount } from './intake/provisioning/records.js';
import { moveToMembership } from './intake/pnm/moveToMembership.js';
import { forgetUnproven } from './intake/pnm-applications/forgetUnproven.js';
import { forgetProspect } from './intake/pnm/forgetProspect.js';
import { refuseFile } from './intake/refuseFile.js';
import { tellOfNotice } from './notifications/accountSecurity.js';
import { notificationsErasure } from './notifications/erasure.js';
import './notifications/settings/notifications.js';
import { aboveOrganizations } from './organizations/above.js';
import { addPerson } from './organizations/addMember.js';
import { isActiveChapter } from './organizations/chapters.js';
import { organizationsErasure } from './organizations/erasure.js';
import { acceptByReset } from './organizations/invitations/acceptByReset.js';
import { acceptBySignIn } from './organizations/invitations/acceptBySignIn.js';
import './platform/notifications.js';
import { platformErasure } from './platform/erasure.js';
import { socialnetErasure } from './socialnet/erasure.js';

aboveIdentity.fillIn({
  acceptByReset,
  acceptBySignIn,
  addPerson,
  takesMembers: isActiveChapter,
  tellOfNotice,
  erasures: [
    socialnetErasure,
    organizationsErasure,
    financesErasure,
    intakeErasure,
    platformErasure,
    notificationsErasure,
  ],
});
aboveOrganizations.fillIn({
  forgetProspect,
  forgetUnproven,
  moveAccount,
  moveCredit,
  moveProspect: moveToMembership,
  carryCrossing: carryAtOnce,
  openWork,
  readMemberAccount,
  refuseFile,
  endMemberAccounts,
  endPlanRequests: lapsePlanRequests,
});
