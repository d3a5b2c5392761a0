import { inTenant } from '../../models/database/tenancy.js';
import { followLetter, type LetterStep } from '../../models/intake/reference-letters/followLetter.js';
import type { ReferenceLetterInput } from '../../workflows/contracts/referenceLetter.js';

/** Does what a letter's time asks for. Run again, it finds that done. */
export const followReferenceLetter = ({ organizationId, letterId }: ReferenceLetterInput): Promise<LetterStep> =>
  inTenant(organizationId, () => followLetter(letterId));
