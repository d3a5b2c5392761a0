import { donationPage as entry } from './contracts/donationPage.js';
import type { HostedPageInput, HostedPageOutcome } from './contracts/hostedPage.js';
import { pageUntilOver } from './pageUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Follows the hosted page of a gift until it is over. */
export const donationPage = (input: HostedPageInput): Promise<HostedPageOutcome> => pageUntilOver(input, stage);
