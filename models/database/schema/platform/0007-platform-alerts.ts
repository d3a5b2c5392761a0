import type { Migration } from '../../schemaFiles.js';

/** What those who run the platform tell the organizations. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['alerts']);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE platform_alerts;');
