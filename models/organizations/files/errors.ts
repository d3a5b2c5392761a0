import { defineErrors } from '../../errors.js';

/** Error codes of files and storage. */
export const fileErrors = defineErrors({
  storage_unavailable: [503, 'File storage is not available at the moment. Try again shortly.'],
  file_not_checked: [409, 'This file is being scanned. You can read it when the scan is done.'],
  too_many_files: [409, 'You have uploaded too many files today. Try again tomorrow.'],
  no_own_store: [
    409,
    'There is nothing to test, because this organization has no storage of its own. Connect one first.',
  ],
  store_not_active: [
    409,
    'The target storage is not active. Files can be moved only to the active storage, so activate the target first.',
  ],
  store_forgotten: [409, 'The source or target storage of this migration was deleted. Start a new migration.'],
  storage_migration_running: [
    409,
    'A storage migration of this organization is running. The list of migrations shows it and what it waits for.',
  ],
  storage_migration_ended: [409, 'This storage migration has already ended.'],
  storage_migration_not_ended: [
    409,
    'This storage migration cannot be retried: it is still running, is complete, or its source files were purged.',
  ],
  storage_not_purgeable: [
    409,
    'The source files can be purged only when the migration has been complete for seven days.',
  ],
  too_many_stores: [
    409,
    'This organization already has the maximum number of storages. Use one of the existing storages.',
  ],
  storage_provisioning_off: [409, 'This platform cannot create storage. Connect your own bucket instead.'],
  storage_credentials_refused: [409, "The storage provider rejects the platform's key. No bucket can be created."],
  storage_bucket_taken: [
    409,
    'No bucket can be created, because another account at the storage provider already uses the bucket name for this organization.',
  ],
  storage_provider_refused: [409, 'The storage provider refused the request.'],
  storage_provider_unavailable: [503, 'The storage provider does not answer. Try again shortly.'],
  storage_not_usable: [
    409,
    'The bucket was created but fails the storage test. Try again, or check the bucket at the provider.',
  ],
});
