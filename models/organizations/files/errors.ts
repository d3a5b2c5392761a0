import { defineErrors } from '../../errors.js';

/** Error codes of files and storage. */
export const fileErrors = defineErrors({
  storage_unavailable: [503, 'File storage is not available at the moment. Try again shortly.'],
  file_not_checked: [409, 'This file is being scanned. You can read it when the scan is done.'],
  too_many_files: [409, 'You have uploaded too many files today. Try again tomorrow.'],
  no_own_store: [409, 'This organization has no storage of its own.'],
  store_not_active: [409, 'Files can only be moved to the storage that takes new files. Activate that storage first.'],
  store_forgotten: [409, 'The source or target storage was deleted. Start a new migration.'],
  storage_migration_running: [
    409,
    'A storage migration of this organization is running. The list of migrations shows it and what it waits for.',
  ],
  storage_migration_ended: [409, 'This storage migration has ended.'],
  storage_migration_not_ended: [409, 'This storage migration is still running, or has nothing left to do.'],
  storage_not_purgeable: [409, 'Source files can be purged seven days after the migration.'],
  too_many_stores: [409, 'The files of this organization are already in too many storages.'],
  storage_provisioning_off: [409, 'This platform has no storage provider for new buckets.'],
  storage_credentials_refused: [409, "The storage provider rejects the platform's key. No bucket can be created."],
  storage_bucket_taken: [409, 'The bucket name for this organization belongs to another account.'],
  storage_provider_refused: [409, 'The storage provider refused the request.'],
  storage_provider_unavailable: [503, 'The storage provider does not answer. Try again shortly.'],
  storage_not_usable: [
    409,
    'The bucket was created but fails the storage test. Try again, or check the bucket at the provider.',
  ],
});
