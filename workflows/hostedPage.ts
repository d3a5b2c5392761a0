import { hostedPage as entry, type HostedPageInput, type HostedPageOutcome } from './contracts/hostedPage.js';
import { pageUntilOver } from './pageUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Follows the hosted page of an invoice until it is over. */
export const hostedPage = (input: HostedPageInput): Promise<HostedPageOutcome> => pageUntilOver(input, stage);
