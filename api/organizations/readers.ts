import { loadIfExists } from '../../models/database/model/read.js';
import { AccountRequest } from '../../models/organizations/account-requests/AccountRequest.js';
import { Bulletin } from '../../models/organizations/bulletins/Bulletin.js';
import { canSeeBulletin } from '../../models/organizations/bulletins/readBulletins.js';
import { HandOverRequest } from '../../models/organizations/hand-over-requests/HandOverRequest.js';
import { findMembershipSubject } from '../../models/organizations/lifecycle/history.js';
import { ScheduledChange } from '../../models/organizations/lifecycle/ScheduledChange.js';
import { MemberAddRequest } from '../../models/organizations/member-add-requests/MemberAddRequest.js';
import { OfficerTerm } from '../../models/organizations/officer-terms/OfficerTerm.js';
import { PlannedTerm } from '../../models/organizations/officer-terms/PlannedTerm.js';
import { OrganizationAdmin } from '../../models/organizations/OrganizationAdmin.js';
import { RegionalAdmin } from '../../models/organizations/RegionalAdmin.js';
import { Rollover } from '../../models/organizations/rollovers/Rollover.js';
import { SocialPost } from '../../models/organizations/social-posts/SocialPost.js';
import { StatusChangeRequest } from '../../models/organizations/status-change-requests/StatusChangeRequest.js';
import { TransferRequest } from '../../models/organizations/transfer-requests/TransferRequest.js';
import { may } from '../http/policy.js';
import { defineReaders, readerOf, rowOf } from '../http/readers.js';
import { accountRequestPolicy } from './account-requests/routes.js';
import { organizationAdminPolicy } from './admins/routes.js';
import { bulletinPolicy } from './bulletins/routes.js';
import { handOverRequestPolicy } from './hand-over-requests/routes.js';
import { memberAddRequestPolicy } from './member-add-requests/routes.js';
import { membershipPolicy } from './memberships/policy.js';
import { officerTermPolicy } from './officer-terms/routes.js';
import { regionalAdminPolicy } from './regional-admins/routes.js';
import { rolloverPolicy } from './rollovers/routes.js';
import { socialPostPolicy } from './social-posts/routes.js';
import { statusChangeRequestPolicy } from './status-change-requests/routes.js';
import { transferRequestPolicy } from './transfer-requests/routes.js';

const isOrganizationAdmin = readerOf(organizationAdminPolicy, 'read', rowOf(OrganizationAdmin));
const isRegionalAdmin = readerOf(regionalAdminPolicy, 'read', rowOf(RegionalAdmin));

defineReaders({
  organization: async (actor, id) => id === actor.organizationId,
  membership: readerOf(membershipPolicy, 'read', findMembershipSubject),
  office: async (actor, id) => (await isOrganizationAdmin(actor, id)) || isRegionalAdmin(actor, id),
  officer_term: readerOf(officerTermPolicy, 'read', rowOf(OfficerTerm)),
  planned_term: readerOf(officerTermPolicy, 'read_succession', rowOf(PlannedTerm)),
  scheduled_change: readerOf(membershipPolicy, 'read_history', async (id) => {
    const row = await loadIfExists(ScheduledChange, id);
    return row && findMembershipSubject(row.membership_id);
  }),
  account_request: readerOf(accountRequestPolicy, 'read', rowOf(AccountRequest)),
  status_change_request: readerOf(statusChangeRequestPolicy, 'read', async (id) => {
    const row = await loadIfExists(StatusChangeRequest, id);
    return row && { chapter_id: row.chapter_id, membership_id: row.membership_id, user_id: row.requested_by };
  }),
  transfer_request: async (actor, id) => {
    const row = await loadIfExists(TransferRequest, id);
    if (!row) return false;
    const { chapter_id, membership_id, to_chapter_id, requested_by: user_id } = row;
    return [{ chapter_id, membership_id, user_id }, { chapter_id: to_chapter_id }].some((subject) =>
      may(actor, transferRequestPolicy, 'read', subject),
    );
  },
  member_add_request: readerOf(memberAddRequestPolicy, 'read', rowOf(MemberAddRequest)),
  hand_over_request: readerOf(handOverRequestPolicy, 'read', rowOf(HandOverRequest)),
  rollover: readerOf(rolloverPolicy, 'read', rowOf(Rollover)),
  social_post: readerOf(socialPostPolicy, 'read', rowOf(SocialPost)),
  bulletin: async (actor, id) => {
    const bulletin = await loadIfExists(Bulletin, id);
    return bulletin !== null && (may(actor, bulletinPolicy, 'write', bulletin) || canSeeBulletin(id, actor.userId));
  },
});
