/**
 * Composition root: provides the functions that lower areas need from higher ones. Every entry point imports this file:
 * the API, the worker, commands and tests.
 */
import { financesErasure } from './finances/erasure.js';
import './finances/notifications.js';
import './finances/reminders/notifications.js';
import { moveCredit } from './finances/credit/moveCredit.js';
import { countOpenWork } from './finances/openWork.js';
import { readMemberAccount } from './finances/readMemberAccount.js';
import { lapsePlanRequests } from './finances/payment-plans/endPlans.js';
import { endMemberAccounts } from './finances/terminal-settlements/endMemberAccounts.js';
import { refuseAttachment } from './forums/attachments/changeAttachments.js';
import { forumsErasure } from './forums/erasure.js';
import './forums/notifications.js';
import './forums/review-queue/notifications.js';
import { foundationErasure } from './foundation/erasure.js';
import { recordBouncedBulletin } from './foundation/bulletins/sendRound.js';
import { recordBouncedReceipt } from './foundation/receipts/mailReceipt.js';
import { declineGift, endGiftPage, followCapture, lockDonation } from './foundation/donations/followCaptures.js';
import { keepCard } from './foundation/pledges/keptCard.js';
import { pauseDisputedPledges } from './foundation/pledges/movePledge.js';
import './foundation/notifications.js';
import { issueDonorLink } from './foundation/portal/issueDonorLink.js';
import { eraseDeletedTexts } from './forums/eraseDeletedTexts.js';
import { removeExpiredDonorAccess } from './foundation/portal/removeExpiredDonorAccess.js';
import { financesUpstream } from './finances/upstream.js';
import { identityUpstream } from './identity/upstream.js';
import { carryPending } from './intake/crossings/crossingSteps.js';
import { intakeErasure } from './intake/erasure.js';
import './intake/notifications.js';
import { moveAccount } from './intake/provisioning/records.js';
import { moveProfile } from './intake/pnm/moveProfile.js';
import { purgeUnproven } from './intake/pnm-applications/purgeUnproven.js';
import { deleteProspect } from './intake/pnm/deleteProspect.js';
import { refuseApplicantFile } from './intake/refuseApplicantFile.js';
import { notifyOfNotice } from './notifications/accountSecurity.js';
import { notificationsErasure } from './notifications/erasure.js';
import './notifications/settings/notifications.js';
import { notificationsUpstream } from './notifications/upstream.js';
import { organizationsUpstream } from './organizations/upstream.js';
import { addPerson } from './organizations/addMember.js';
import { isActiveChapter } from './organizations/chapters.js';
import { organizationsErasure } from './organizations/erasure.js';
import { acceptByReset } from './organizations/invitations/acceptByReset.js';
import { acceptBySignIn } from './organizations/invitations/acceptBySignIn.js';
import './platform/notifications.js';
import './processes/notifications.js';
import { platformErasure } from './platform/erasure.js';
import { processesErasure } from './processes/erasure.js';
import { socialnetErasure } from './socialnet/erasure.js';

identityUpstream.provide({
  acceptByReset,
  acceptBySignIn,
  addPerson,
  takesMembers: isActiveChapter,
  tellOfNotice: notifyOfNotice,
  issueDonorLink,
  erasures: [
    socialnetErasure,
    organizationsErasure,
    forumsErasure,
    financesErasure,
    foundationErasure,
    intakeErasure,
    platformErasure,
    processesErasure,
    notificationsErasure,
  ],
});
notificationsUpstream.provide({
  async noteBounce(messageId) {
    await recordBouncedReceipt(messageId);
    await recordBouncedBulletin(messageId);
  },
});
financesUpstream.provide({
  lockDonation,
  donationCaptured: followCapture,
  donationDeclined: declineGift,
  donationReturned: followCapture,
  donationPageOver: endGiftPage,
  donationCardKept: keepCard,
  donationDisputed: pauseDisputedPledges,
});
organizationsUpstream.provide({
  forgetProspect: deleteProspect,
  forgetUnproven: purgeUnproven,
  moveAccount,
  moveCredit,
  moveProspect: moveProfile,
  carryCrossing: carryPending,
  openWork: countOpenWork,
  removeExpiredDonorAccess,
  eraseDeletedTexts,
  readMemberAccount,
  async refuseFile(fileId) {
    await refuseApplicantFile(fileId);
    await refuseAttachment(fileId);
  },
  endMemberAccounts,
  endPlanRequests: lapsePlanRequests,
});
