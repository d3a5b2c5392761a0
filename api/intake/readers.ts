import { loadIfThere } from '../../models/database/model/read.js';
import { NameAssignment } from '../../models/intake/name-assignments/NameAssignment.js';
import { PnmProfile } from '../../models/intake/pnm/PnmProfile.js';
import { PnmApplication } from '../../models/intake/pnm-applications/PnmApplication.js';
import { ReferenceLetter } from '../../models/intake/reference-letters/ReferenceLetter.js';
import { defineReaders, readerOf, rowOf } from '../http/readers.js';
import { nameAssignmentPolicy } from './name-assignments/policy.js';
import { pnmPolicy } from './pnm/policy.js';

/** The chapter alone: a prospective member does not read what is kept about them. */
const chapterOf = async (row: Promise<{ chapter_id: string } | null>) => {
  const found = await row;
  return found && { chapter_id: found.chapter_id };
};

defineReaders({
  pnm_application: readerOf(pnmPolicy, 'read', (id) => chapterOf(loadIfThere(PnmApplication, id))),
  pnm_reference_letter: readerOf(pnmPolicy, 'read', async (id) => {
    const letter = await loadIfThere(ReferenceLetter, id);
    return letter && chapterOf(loadIfThere(PnmProfile, letter.profile_id));
  }),
  pnm_name_assignment: readerOf(nameAssignmentPolicy, 'read', rowOf(NameAssignment)),
});
