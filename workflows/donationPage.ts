import { type DonationPageInput, type DonationPageOutcome, donationPage as entry } from './contracts/donationPage.js';
import { pageUntilOver } from './pageUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Follows the hosted page of a gift until it is over. */
export const donationPage = (input: DonationPageInput): Promise<DonationPageOutcome> => pageUntilOver(input, stage);
