import type { Import, ImportLine, OnExisting } from './queries';

export const OUTCOME_LABELS: Readonly<Record<NonNullable<Import['outcome']>, string>> = {
  completed: 'Completed',
  completed_with_errors: 'Completed, some lines failed',
  failed: 'The file could not be read',
  cancelled: 'Cancelled',
  undone: 'Undone',
  stopped_right_lost: 'Stopped: its admin lost the right',
};

export const STEP_LABELS: Readonly<Record<NonNullable<Import['step']>, string>> = {
  read: 'The file is being read',
  preview: 'The preview is being made',
  process: 'The members are being imported',
  send_invitations: 'The invitations are being mailed',
  undo: 'The import is being undone',
};

export const STAGE_LABELS: Readonly<Record<Import['stage'], string>> = {
  upload: 'Upload',
  mapping: 'Columns',
  preview: 'Preview',
  processing: 'Import',
};

export const LINE_OUTCOMES: Readonly<Record<NonNullable<ImportLine['outcome']>, string>> = {
  create: 'Adds a member',
  update: 'Changes a member',
  unchanged: 'Changes nothing',
  error: 'Has errors',
};

export const LINE_RESULTS: Readonly<Record<ImportLine['result'], string>> = {
  waiting: 'Waits',
  created: 'Added',
  updated: 'Changed',
  unchanged: 'Unchanged',
  skipped: 'Skipped',
  failed: 'Failed',
  undone: 'Undone',
  kept: 'Kept',
};

export const ON_EXISTING: Readonly<Record<OnExisting, string>> = {
  skip: 'Stay unchanged',
  fill_empty: 'Get values for empty fields',
  overwrite: 'Get all values of the file',
};
