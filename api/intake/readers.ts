import { loadIfExists } from '../../models/database/model/read.js';
import { NameAssignment } from '../../models/intake/name-assignments/NameAssignment.js';
import { PnmProfile } from '../../models/intake/pnm/PnmProfile.js';
import { PnmApplication } from '../../models/intake/pnm-applications/PnmApplication.js';
import { ReferenceLetter } from '../../models/intake/reference-letters/ReferenceLetter.js';
import { defineReaders, readerOf, rowOf } from '../http/readers.js';
import { nameAssignmentPolicy } from './name-assignments/routes.js';
import { pnmPolicy } from './pnm/policy.js';

/** Returns only the chapter: a prospective member must not read these rows about themselves. */
const chapterOf = async (row: Promise<{ chapter_id: string } | null>) => {
  const loaded = await row;
  return loaded && { chapter_id: loaded.chapter_id };
};

defineReaders({
  pnm_application: readerOf(pnmPolicy, 'read', (id) => chapterOf(loadIfExists(PnmApplication, id))),
  pnm_reference_letter: readerOf(pnmPolicy, 'read', async (id) => {
    const letter = await loadIfExists(ReferenceLetter, id);
    return letter && chapterOf(loadIfExists(PnmProfile, letter.profile_id));
  }),
  pnm_name_assignment: readerOf(nameAssignmentPolicy, 'read', rowOf(NameAssignment)),
});
