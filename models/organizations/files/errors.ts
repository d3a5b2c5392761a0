import { defineErrors } from '../../errors.js';

/** Refusals about files. */
export const fileErrors = defineErrors({
  storage_unavailable: [503, 'Files cannot be reached at the moment. Everything else goes on. Try again shortly.'],
  file_not_checked: [409, 'This file is being checked. It can be read as soon as that is done.'],
  too_many_files: [409, 'You have uploaded too many files today. Try again tomorrow.'],
  no_own_store: [409, 'This organization has no store of its own.'],
  store_not_active: [409, 'Files move to the store that takes new ones. Choose that first.'],
  store_forgotten: [409, 'One of the two stores was left, and is forgotten. Begin another move.'],
  storage_migration_running: [
    409,
    'A storage migration of this organization is running. The list of migrations shows it and what it waits for.',
  ],
  storage_migration_ended: [409, 'This move of files has ended.'],
  storage_migration_not_ended: [409, 'This move of files is under way, or has nothing left to do.'],
  storage_not_purgeable: [409, 'What files have left behind is given up seven days after they have moved.'],
  too_many_stores: [409, 'Files lie in too many stores already.'],
  storage_provisioning_off: [409, 'This platform has no provider to make stores at.'],
  storage_credentials_refused: [409, "The provider of stores refuses the platform's key. Nothing can be made there."],
  storage_bucket_taken: [409, 'The bucket that this organization would have is somebody else’s.'],
  storage_provider_refused: [409, 'The provider of stores refused it.'],
  storage_provider_unavailable: [503, 'The provider of stores does not answer. Try again shortly.'],
  storage_not_usable: [409, 'The store was made, and does not do what files need. Try again, or look after it.'],
});
