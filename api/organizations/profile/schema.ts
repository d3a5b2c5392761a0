import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { MemberProfile } from '../../../models/organizations/profiles/MemberProfile.js';

export const MemberProfileEdit = editBody(MemberProfile);

export const MemberProfileJson = rowJson(MemberProfile);
