/** Search attributes by which operators filter processes. Ids and kinds only. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

export const OrganizationId = keyword('OrganizationId');
export const ChapterId = keyword('ChapterId');
export const ProcessKind = keyword('ProcessKind');
export const SubjectId = keyword('SubjectId');
export const Stage = keyword('Stage');
export const RequestId = keyword('RequestId');

/** Last stage of a process whose row was deleted. */
export const ROW_MISSING = 'row_missing';

export const SEARCH_ATTRIBUTES = [OrganizationId, ChapterId, ProcessKind, SubjectId, Stage, RequestId];
