/** What operators can filter processes by. Ids and kinds only. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

const keyword = (name: string) => defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);

export const OrganizationId = keyword('OrganizationId');
export const ChapterId = keyword('ChapterId');
export const ProcessKind = keyword('ProcessKind');
export const SubjectId = keyword('SubjectId');
export const Stage = keyword('Stage');
export const RequestId = keyword('RequestId');

/** The last stage of a process whose row is gone. */
export const ROW_MISSING = 'row_missing';

export const SEARCH_ATTRIBUTES = [OrganizationId, ChapterId, ProcessKind, SubjectId, Stage, RequestId];
